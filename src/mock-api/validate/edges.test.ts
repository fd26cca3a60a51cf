import { expect, test } from "vitest";
import type { WireBlock } from "../../transcript/index.ts";
import type { MockApiOptions } from "../options.ts";
import { assistant, call, createRig, image, pdf, png, refusalText, result, text, user } from "../test-rig.ts";

/** What a fresh server says to these fields. */
const said = (fields: object, headers?: Readonly<Record<string, string>>, options?: Partial<MockApiOptions>) =>
  refusalText(createRig(options).send({ ...fields }, headers));
const breakpoint = { cache_control: { type: "ephemeral" } };
const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };

test("V1: sampling parameters that change nothing pass on new models, null passes everywhere", () => {
  const newer = { model: "claude-opus-5" };
  expect(said({ ...newer, temperature: 1, top_p: 0.99 })).toBeUndefined();
  expect(said({ ...newer, top_p: 0.98 })).toContain("`top_p` is deprecated");
  expect(said({ ...newer, top_k: 1 })).toContain("`top_k` is deprecated");
  expect(said({ ...newer, temperature: 0.99 })).toContain("`temperature` is deprecated");
  const latest = { "anthropic-version": "2026-10-21" };
  expect(said({ ...newer, temperature: 1 }, latest)).toContain("`temperature` is deprecated");
  expect(said({ temperature: null, top_p: null, top_k: null }, latest)).toBeUndefined();
  expect(said({ temperature: 0.5, top_p: 0.5, top_k: 5 })).toBeUndefined();
  expect(said({ top_k: 5 }, latest)).toBe("top_k: Extra inputs are not permitted");
  expect(said({ top_p: 0.5 }, latest)).toBe("top_p: Extra inputs are not permitted");
});

test("V1: warming the cache excludes what would make an answer, and nothing else", () => {
  const tools = [{ name: "Read", input_schema: { type: "object" } }];
  const format = { type: "json_schema", schema: {} };
  const warm = (fields: object, headers?: Record<string, string>) => said({ max_tokens: 0, ...fields }, headers);
  expect(warm({ stream: false, thinking: null, output_config: null, tools })).toBeUndefined();
  expect(warm({ tools, tool_choice: { type: "none" } })).toBeUndefined();
  expect(warm({ tools, tool_choice: { type: "tool", name: "Read" } })).toContain("`tool_choice`");
  const beta = { "anthropic-beta": "structured-outputs-2025-11-13" };
  expect(warm({ output_format: format }, beta)).toContain("`output_config.format`");
  expect(warm({ output_config: { format: null } })).toBeUndefined();
});

test("V2: the models that take system messages are those of the list", () => {
  const ids = ["claude-opus-4-8", "claude-opus-5", "claude-opus-5-5", "claude-fable-5", "claude-mythos-5"];
  const messages = [user("x"), { role: "system", content: "be brief" }];
  for (const model of ids) expect([model, said({ model, messages })]).toEqual([model, undefined]);
  for (const model of ["claude-opus-4-7", "claude-sonnet-4-6", "claude-haiku-4-5"])
    expect(said({ model, messages })).toBe("messages.1.role: Input should be 'user' or 'assistant'");
});

test("V2: a system message stands where it may, also in a conversation that was accepted before", () => {
  const model = "claude-opus-5";
  const rig = createRig();
  const system = { role: "system", content: "be brief" };
  const start = [user("x"), system, assistant("y"), user("z")];
  const send = (messages: unknown[]) => refusalText(rig.send({ model, messages }));
  expect(send(start)).toBeUndefined();
  expect(send([...start, system])).toBeUndefined();
  expect(send([...start, system, assistant("w"), user("v")])).toBeUndefined();
  expect(send([...start, system, user("w")])).toBe(
    "messages.4: a `system` message must be last or stand before an `assistant` turn",
  );
  expect(send([...start, assistant("w"), system])).toBe("messages.5: a `system` message must follow a `user` turn");
});

test("V2: strict roles allow no neighbours of one role, anywhere", () => {
  const strict = { profile: "strict-roles" } as const;
  const two = [user("a"), assistant("b"), assistant("c"), user("d")];
  expect(said({ messages: two }, {}, strict)).toBe(
    'messages: roles must alternate between "user" and "assistant", but found multiple "assistant" roles in a row',
  );
  expect(said({ messages: [assistant("b"), user("d")] }, {}, strict)).toContain('must use the "user" role');
  expect(said({ messages: [user("a"), assistant("b"), user("d")] }, {}, strict)).toBeUndefined();
  expect(said({ messages: two }, {}, { profile: "bedrock" })).toBeUndefined();
});

test("V3: what is empty or blank is found wherever it stands", () => {
  const blank = "messages: text content blocks must contain non-whitespace text";
  const answered = (content: unknown) => [
    user("go"),
    assistant([call("a")]),
    user([result("a", content)] as WireBlock[]),
  ];
  expect(said({ messages: answered([text("x"), text("\n ")]) })).toBe(blank);
  expect(said({ messages: answered("") })).toBeUndefined();
  expect(said({ messages: answered([text("x")]) })).toBeUndefined();
  expect(said({ messages: [user("  ")] })).toBe(blank);
  expect(said({ messages: [user([text("a"), text(" ")])] })).toBe(blank);
  expect(said({ system: "   " })).toBe("system: text content blocks must contain non-whitespace text");
  expect(said({ system: "" })).toBeUndefined();
  const old = { model: "claude-opus-4-5" };
  expect(said({ ...old, messages: [user("x"), assistant("")] })).toBeUndefined();
  expect(said({ ...old, messages: [user("x"), assistant(""), user("y")] })).toContain("messages.1: all messages");
  expect(said({ messages: [user("x"), assistant([])] })).toContain("does not support assistant message prefill");
});

test("V3: an old model goes on from a text that ends in a letter, no model from one that ends in a blank", () => {
  const old = { model: "claude-opus-4-5" };
  for (const end of [" ", "\n", "\t"])
    expect(said({ ...old, messages: [user("x"), assistant(`so${end}`)] })).toContain("trailing whitespace");
  expect(said({ ...old, messages: [user("x"), assistant([text("a "), text("so")])] })).toBeUndefined();
  expect(said({ ...old, messages: [user("x"), assistant("so "), user("y")] })).toBeUndefined();
});

test("V3: an answer that the server paused is no prefill", () => {
  const searched = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
  const found = { type: "web_search_tool_result", tool_use_id: "s", content: [] };
  expect(said({ messages: [user("x"), assistant([searched] as WireBlock[])] })).toBeUndefined();
  expect(said({ messages: [user("x"), assistant([searched, found] as WireBlock[])] })).toBeUndefined();
  const mcp = { "anthropic-beta": "mcp-client-2025-11-20" };
  const used = { type: "mcp_tool_use", id: "m", name: "n", input: {}, server_name: "s" };
  const answer = { type: "mcp_tool_result", tool_use_id: "m", content: "ok" };
  expect(said({ messages: [user("x"), assistant([used, answer] as WireBlock[])] }, mcp)).toBeUndefined();
  const summary = { type: "compaction", content: "what was" };
  const compact = { "anthropic-beta": "compact-2026-01-12" };
  expect(said({ messages: [user("x"), assistant([summary] as WireBlock[])] }, compact)).toBeUndefined();
  expect(said({ messages: [user("x"), assistant([searched, found, text("so")] as WireBlock[])] })).toContain("prefill");
});

test("V6: breakpoints are counted over tools, system and messages together", () => {
  const tools = [{ name: "Read", input_schema: { type: "object" }, ...breakpoint }];
  const marked = (count: number) => user(Array.from({ length: count }, (_, n) => text(`t${n}`, breakpoint)));
  const system = [text("s", breakpoint)];
  expect(said({ tools, system, messages: [marked(2)] })).toBeUndefined();
  expect(said({ tools, system, messages: [marked(3)] })).toContain("Found 5.");
  expect(said({ tools, system, messages: [marked(1), assistant("x"), marked(2)] })).toContain("Found 5.");
  expect(said({ ...breakpoint, tools, system, messages: [marked(2)] })).toBeUndefined();
  expect(said({ ...breakpoint, tools, system, messages: [marked(2), user("end")] })).toContain("Found 5.");
  expect(said({ cache_control: null, tools, system, messages: [marked(2), user("end")] })).toBeUndefined();
});

test("V6: no hour after five minutes, in the order tools, system, messages, the whole", () => {
  const tools = (control: object) => [{ name: "Read", input_schema: { type: "object" }, ...control }];
  const late = (path: string) => `${path}.ttl: a ttl='1h' cache_control block must not come after`;
  expect(said({ tools: tools(breakpoint), messages: [user([text("x", hour)])] })).toContain(
    late("messages.0.content.0.cache_control"),
  );
  expect(said({ system: [text("a", breakpoint), text("b", hour)] })).toContain(late("system.1.cache_control"));
  expect(
    said({ tools: [...tools(breakpoint), { name: "Edit", input_schema: { type: "object" }, ...hour }] }),
  ).toContain(late("tools.1.cache_control"));
  expect(said({ ...hour, system: [text("a", breakpoint)] })).toContain(late("cache_control"));
  expect(said({ ...hour, system: [text("a", hour)], messages: [user("x")] })).toBeUndefined();
  expect(said({ ...breakpoint, messages: [user([text("x", hour), text("y")])] })).toBeUndefined();
  const explicit = { cache_control: { type: "ephemeral", ttl: "5m" } };
  expect(said({ ...breakpoint, messages: [user([text("x", explicit)])] })).toBeUndefined();
});

test("V6: an empty text with a breakpoint is named by its place", () => {
  expect(said({ messages: [user("x"), assistant("y"), user([text("a"), text("", breakpoint)])] })).toBe(
    "messages.2.content.1.text: cache_control cannot be set for empty text blocks",
  );
});

test("V7: pages add up over documents and messages, images wherever they stand", () => {
  const messages = (first: number, second: number) => [
    user([pdf(first)] as never),
    assistant("x"),
    user([pdf(second)] as never),
  ];
  // So many pages are more than a window holds: but that is said only when there are not too many of them.
  expect(said({ messages: messages(300, 300) })).toContain("prompt is too long");
  expect(said({ messages: messages(300, 301) })).toBe(
    "messages.2.content.0.pdf.source.base64.data: A maximum of 600 PDF pages may be provided.",
  );
  const wide = (data: string) => [
    user([...Array(10).fill(image(png(9, 9)))] as never),
    assistant([call("a")]),
    user([result("a", [...Array(10).fill(image(png(9, 9))), image(data)])] as WireBlock[]),
  ];
  expect(said({ messages: wide(png(2_000, 2_000)) })).toBeUndefined();
  for (const [width, height] of [
    [2_001, 1],
    [1, 2_001],
  ] as const)
    expect(said({ messages: wide(png(width, height)) })).toBe(
      "messages.2.content.0.tool_result.content.10.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
    );
  expect(said({ messages: [user([image(png(1, 8_001)) as never])] })).toContain("max allowed size: 8000 pixels");
  expect(said({ messages: [user([image("AAAA") as never])] })).toBeUndefined();
});

test("V7: the limit of an image's size is the provider's", () => {
  const heavy = { messages: [user([image("A".repeat(6_000_000)) as never])] };
  for (const profile of ["anthropic", "no-gap", "strict-roles", "legacy-output-check"] as const)
    expect(said(heavy, {}, { profile })).toBeUndefined();
  for (const profile of ["bedrock", "vertex"] as const)
    expect(said(heavy, {}, { profile })).toContain("image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes");
});

test("V7: a tool that failed answers in text", () => {
  const failed = (content: unknown) => [
    user("go"),
    assistant([call("a")]),
    user([{ ...result("a", content), is_error: true }, image(png(9, 9))] as WireBlock[]),
  ];
  expect(said({ messages: failed("no") })).toBeUndefined();
  expect(said({ messages: failed([text("no")]) })).toBeUndefined();
  expect(said({ messages: failed([text("no"), image(png(9, 9))]) })).toContain(
    "messages.2.content.0.tool_result: all content",
  );
});

test("A2: a key may come in either header, in any case of the word Bearer, and may hold no blank", () => {
  const api = createRig().api;
  const status = (headers: Record<string, string>) =>
    api.serve({ method: "GET", path: "/v1/models", headers, body: undefined }).status;
  expect(status({ authorization: "bearer k" })).toBe(200);
  expect(status({ authorization: "Bearer " })).toBe(401);
  expect(status({ authorization: "xBearer k" })).toBe(401);
  expect(status({ "x-api-key": " k" })).toBe(401);
  expect(status({ "x-api-key": "bad key", authorization: "Bearer k" })).toBe(401);
});
