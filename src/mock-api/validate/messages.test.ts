import { expect, test } from "vitest";
import type { MockApiOptions } from "../options.ts";
import { assistant, call, createRig, image, png, refusalText, result, text, user } from "../test-rig.ts";

/** Rules that the list in `exact-messages.test.ts` does not name: a request that is refused with exactly this text, and its nearest neighbour that is accepted. */
interface Row {
  readonly rule: string;
  readonly says: string;
  readonly bad: object;
  readonly good: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the accepting neighbour, where they are not the same. */
  readonly goodHeaders?: Readonly<Record<string, string>>;
  readonly options?: Partial<MockApiOptions>;
  readonly status?: number;
}

const loop = (id = "a"): unknown[] => [user("go"), assistant([call(id)]), user([result(id)])];
const breakpoint = { cache_control: { type: "ephemeral" } };
const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };
const tools = [{ name: "Read", input_schema: { type: "object" } }];

const searched = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
const found = (tool_use_id: string): { type: string } =>
  ({ type: "web_search_tool_result", tool_use_id, content: [] }) as { type: string };
const deleting = (tool_use_id: string): unknown[] => [
  ...loop().slice(0, 2),
  user([result("a"), { type: "cache_edits", edits: [{ type: "delete", tool_use_id }] }] as never),
];

const rows: readonly Row[] = [
  { rule: "V1", says: "max_tokens: Field required", bad: { max_tokens: undefined }, good: {} },
  {
    rule: "V1",
    says: "max_tokens: Input should be a valid integer",
    bad: { max_tokens: 1.5 },
    good: { max_tokens: 1 },
  },
  {
    rule: "V1",
    says: "max_tokens: Input should be greater than or equal to 0",
    bad: { max_tokens: -1 },
    good: { max_tokens: 0 },
  },
  {
    rule: "V1",
    says: "max_tokens: 0 is not supported with `stream`",
    bad: { max_tokens: 0, stream: true },
    good: { max_tokens: 0 },
  },
  {
    rule: "V1",
    says: "`top_p` is deprecated for this model.",
    bad: { model: "claude-opus-5", top_p: 0.9 },
    good: { model: "claude-opus-5", top_p: 0.99 },
  },
  {
    rule: "V1",
    says: "`top_k` is deprecated for this model.",
    bad: { model: "claude-opus-5", top_k: 3 },
    good: { top_k: 3 },
  },
  {
    rule: "V1",
    says: "model: claude-nope",
    bad: { model: "claude-nope" },
    good: { model: "claude-opus-4-5-20251101" },
    status: 404,
  },
  {
    rule: "A6",
    says: "messages.0.content.0.text.foo: Extra inputs are not permitted",
    bad: { messages: [user([{ ...text("x"), foo: 1 }])] },
    good: { messages: [user([{ ...text("x"), citations: null } as never])] },
  },
  {
    rule: "A6",
    says: "messages.0.id: Extra inputs are not permitted",
    bad: { messages: [{ ...user("x"), id: "m" }] },
    good: {},
  },
  {
    rule: "A6",
    says: "context_management: Extra inputs are not permitted",
    bad: { context_management: { edits: [] } },
    good: { output_config: { effort: "low" } },
  },
  {
    rule: "A6",
    says: "thread: Extra inputs are not permitted",
    bad: { thread: { type: "create" } },
    good: { thread: null },
  },
  { rule: "V2", says: "messages: at least one message is required", bad: { messages: [] }, good: {} },
  {
    rule: "V2",
    says: "messages.0.role: Input should be 'user', 'assistant' or 'system'",
    bad: { messages: [{ role: "tool", content: "x" }] },
    good: {},
  },
  {
    rule: "V2",
    says: "messages.1: a `system` message must follow a `user` turn".replace("1", "0"),
    bad: { model: "claude-opus-5", messages: [{ role: "system", content: "be brief" }, user("x")] },
    good: { model: "claude-opus-5", messages: [user("x"), { role: "system", content: "be brief" }] },
  },
  {
    rule: "V2",
    says: "messages.1: a `system` message must be last or stand before an `assistant` turn",
    bad: { model: "claude-opus-5", messages: [user("x"), { role: "system", content: "be brief" }, user("y")] },
    good: {
      model: "claude-opus-5",
      messages: [user("x"), { role: "system", content: "s" }, assistant("y"), user("z")],
    },
  },
  {
    rule: "V2",
    says: 'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    bad: { messages: [user("x"), user("y")] },
    good: {},
    options: { profile: "strict-roles" },
  },
  {
    rule: "V4",
    says: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a, b. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    bad: { messages: [user("go"), assistant([call("a"), call("b")]), user("and?")] },
    good: { messages: [user("go"), assistant([call("a"), call("b")]), user([result("b"), result("a")])] },
  },
  {
    rule: "V4",
    says: "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    bad: { messages: [user("go"), assistant([call("a")]), user([result("a"), result("a")])] },
    good: { messages: loop() },
  },
  {
    rule: "V4",
    says: "messages.1.content.0.tool_use.id: String should have at most 64 characters",
    bad: { messages: loop("a".repeat(65)) },
    good: { messages: loop("a".repeat(64)) },
  },
  {
    rule: "V6",
    says: "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
    bad: {
      messages: [user("x"), assistant([{ type: "thinking", thinking: "h", signature: "s", ...breakpoint }]), user("y")],
    },
    good: {},
  },
  {
    rule: "V6",
    says: "messages.0.content.0.text.cache_control.ttl: Input should be '5m' or '1h'",
    bad: { messages: [user([text("x", { cache_control: { type: "ephemeral", ttl: "2h" } })])] },
    good: { messages: [user([text("x", hour)])] },
  },
  {
    rule: "V6",
    says: "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    bad: { messages: [user([text("x", breakpoint), text("y", hour)])] },
    good: { messages: [user([text("x", hour), text("y", breakpoint)])] },
  },
  {
    rule: "V6",
    says: "cache_control: ttl '5m' differs from the ttl '1h' of the last block",
    bad: { ...breakpoint, messages: [user([text("x", hour)])] },
    good: { ...hour, messages: [user([text("x", hour)])] },
  },
  {
    rule: "V7",
    says: 'messages.2.content.0.tool_result: all content must be type "text" if "is_error" is true',
    bad: {
      messages: [user("go"), assistant([call("a")]), user([{ ...result("a", [image(png(9, 9))]), is_error: true }])],
    },
    good: {
      messages: [user("go"), assistant([call("a")]), user([{ ...result("a", [image(png(9, 9))]), is_error: false }])],
    },
  },
  {
    rule: "V7",
    says: "messages.2.content.0.tool_result.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    bad: { messages: [user("go"), assistant([call("a")]), user([result("a", [text("x"), image(png(8_001, 10))])])] },
    good: { messages: [user("go"), assistant([call("a")]), user([result("a", [text("x"), image(png(8_000, 10))])])] },
  },
  { rule: "V1", says: "model: Field required", bad: { model: undefined }, good: {} },
  { rule: "V1", says: "model: Input should be a valid string", bad: { model: 4 }, good: {} },
  {
    rule: "V1",
    says: "max_tokens: 0 is not supported with `thinking`",
    bad: { max_tokens: 0, thinking: { type: "adaptive" } },
    good: { max_tokens: 0, thinking: { type: "disabled" } },
  },
  {
    rule: "V1",
    says: "max_tokens: 0 is not supported with `output_config.format`",
    bad: { max_tokens: 0, output_config: { format: { type: "json_schema", schema: {} } } },
    good: { max_tokens: 0, output_config: { effort: "low" } },
  },
  {
    rule: "V1",
    says: "max_tokens: 0 is not supported with `tool_choice`",
    bad: { max_tokens: 0, tools, tool_choice: { type: "any" } },
    good: { max_tokens: 0, tools, tool_choice: { type: "auto" } },
  },
  {
    rule: "V1",
    says: "temperature: Input should be less than or equal to 1",
    bad: { temperature: 1.01 },
    good: { temperature: 1 },
  },
  {
    rule: "V1",
    says: "temperature: Extra inputs are not permitted",
    bad: { temperature: 1 },
    good: {},
    headers: { "anthropic-version": "2026-10-21" },
  },
  {
    rule: "A2",
    says: 'anthropic-version: "2024-01-01" is not a valid version',
    bad: {},
    good: {},
    headers: { "anthropic-version": "2024-01-01" },
    goodHeaders: { "anthropic-version": "2026-10-21" },
  },
  {
    rule: "V2",
    says: "messages.1.role: Input should be 'user' or 'assistant'",
    bad: { messages: [user("x"), { role: "system", content: "be brief" }] },
    good: { model: "claude-opus-4-8", messages: [user("x"), { role: "system", content: "be brief" }] },
  },
  {
    rule: "V2",
    says: "messages.2: a `system` message must follow a `user` turn",
    bad: {
      model: "claude-opus-5",
      messages: [user("go"), assistant([call("a")]), { role: "system", content: "s" }, user([result("a")])],
    },
    good: {
      model: "claude-opus-5",
      messages: [user("go"), assistant([call("a")]), user([result("a")]), { role: "system", content: "s" }],
    },
  },
  {
    rule: "V3",
    says: "system: text content blocks must be non-empty",
    bad: { system: [text("")] },
    good: { system: [text("x")] },
  },
  {
    rule: "V3",
    says: "system: text content blocks must contain non-whitespace text",
    bad: { system: [text("x"), text("\t")] },
    good: { system: [text("x"), text("\ty")] },
  },
  {
    rule: "V3",
    says: "messages: text content blocks must be non-empty",
    bad: { messages: [user("go"), assistant([call("a")]), user([result("a", [text("")])])] },
    good: { messages: [user("go"), assistant([call("a")]), user([result("a", [])])] },
  },
  {
    rule: "V3",
    says: "messages.0: all messages must have non-empty content except for the optional final assistant message",
    bad: { messages: [user("")] },
    good: { messages: [user(".")] },
  },
  {
    rule: "V4",
    says: 'tool_choice: type "tool" and "any" are not supported for this model.',
    bad: { model: "claude-opus-5-5", tools, tool_choice: { type: "tool", name: "Read" } },
    good: { tools, tool_choice: { type: "tool", name: "Read" } },
  },
  {
    rule: "V4",
    says: "messages.1.content.1: `tool_result` blocks can only be in `user` messages",
    bad: { messages: [user("go"), assistant([text("x"), result("a")]), user("y")] },
    good: { messages: loop() },
  },
  {
    rule: "V4",
    says: "messages.0.content.0: `thinking` blocks can only be in `assistant` messages",
    bad: { messages: [user([{ type: "thinking", thinking: "h", signature: "s" }])] },
    good: {},
  },
  {
    rule: "V4",
    says: "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
    bad: { messages: [user([call("a")])] },
    good: {},
  },
  {
    rule: "V4",
    says: "messages.1.content.0: `server_tool_use` block s has no result block in the same message",
    bad: { messages: [user("go"), assistant([searched]), user("y")] },
    good: { messages: [user("go"), assistant([searched, found("s"), text("x")]), user("y")] },
  },
  {
    rule: "V4",
    says: "messages.1.content.1: unexpected `tool_use_id` found in `web_search_tool_result` blocks: t. Each must have its `server_tool_use` block before it in the same message.",
    bad: { messages: [user("go"), assistant([searched, found("t")]), user("y")] },
    good: { messages: [user("go"), assistant([searched, found("s")]), user("y")] },
  },
  {
    rule: "V5",
    says: "messages.1.content.0: Invalid `signature` in `redacted_thinking` block",
    bad: { messages: [user("x"), assistant([{ type: "redacted_thinking", data: "d" }, text("y")]), user("z")] },
    good: { messages: [user("x"), assistant([text("y")]), user("z")] },
  },
  {
    rule: "V6",
    says: "system.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    bad: { tools: [{ ...tools[0], ...breakpoint }], system: [text("x", hour)] },
    good: { tools: [{ ...tools[0], ...hour }], system: [text("x", breakpoint)] },
  },
  {
    rule: "V6",
    says: "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    bad: { ...hour, messages: [user([text("x", breakpoint), text("y")])] },
    good: { ...breakpoint, messages: [user([text("x", hour), text("y")])] },
  },
  {
    rule: "V6",
    says: "system.0.text: cache_control cannot be set for empty text blocks",
    bad: { system: [text("", breakpoint)] },
    good: { system: [text("x", breakpoint)] },
  },
  {
    rule: "V6",
    says: "messages.0.content.0.text.cache_control.scope: Extra inputs are not permitted",
    bad: { messages: [user([text("x", { cache_control: { type: "ephemeral", scope: "all" } })])] },
    good: { messages: [user([text("x", breakpoint)])] },
  },
  {
    rule: "V7",
    says: "messages: A maximum of 600 images may be provided. Found 601.",
    bad: { messages: [user(Array(601).fill(image(png(9, 9))))] },
    good: { messages: [user(Array(600).fill(image(png(9, 9))))] },
  },
  {
    rule: "V7",
    says: "messages: A maximum of 100 images may be provided. Found 101.",
    bad: { model: "claude-haiku-4-5", messages: [user(Array(101).fill(image(png(9, 9))))] },
    good: { model: "claude-haiku-4-5", messages: [user(Array(100).fill(image(png(9, 9))))] },
  },
  {
    rule: "K3",
    says: "messages.2.content.1.cache_edits: Extra inputs are not permitted",
    bad: { model: "claude-haiku-4-5", messages: deleting("a") },
    good: { messages: deleting("a") },
  },
  {
    rule: "K3",
    says: "messages.2.content.1.cache_edits.edits.0.tool_use_id: no `tool_result` block with id z stands before this block",
    bad: { messages: deleting("z") },
    good: { messages: deleting("a") },
  },
];

test.each(rows.map((row) => [`${row.rule}: ${row.says.slice(0, 110)}`, row] as const))("%s", (_, row) => {
  const refused = createRig(row.options).send({ ...row.bad }, row.headers);
  expect(refusalText(refused)).toBe(row.says);
  expect(refused.status).toBe(row.status ?? 400);
  expect(refusalText(createRig(row.options).send({ ...row.good }, row.goodHeaders ?? row.headers))).toBeUndefined();
});

test("V2: a first message by the assistant passes where only some providers refuse it", () => {
  expect(refusalText(createRig().send({ messages: [assistant("x"), user("y")] }))).toBeUndefined();
});

test("V2: neighbours of one role are joined before pairing is checked", () => {
  const split = [user("go"), assistant([call("a")]), assistant([call("b")]), user([result("b")]), user([result("a")])];
  expect(refusalText(createRig().send({ messages: split }))).toBeUndefined();
});

test("A6: version 2026-10-21 knows no sampling parameters on any model", () => {
  const headers = { "anthropic-version": "2026-10-21" };
  expect(refusalText(createRig().send({ temperature: 1 }, headers))).toBe(
    "temperature: Extra inputs are not permitted",
  );
  expect(refusalText(createRig().send({ temperature: 1 }))).toBeUndefined();
});

test("A6: what real clients send is accepted", () => {
  const messages = [user("x"), { role: "system", content: [], output_config: { effort: "low" } }];
  const fields = {
    model: "claude-opus-5",
    max_tokens: 1,
    output_config: { effort: "high", task_budget: { type: "tokens", total: 9 } },
    speed: "fast",
    metadata: { user_id: null },
    container: "c",
    mcp_servers: [{ name: "m", type: "url", url: "https://example.com" }],
    fallbacks: "default",
    tools: [
      { ...tools[0], strict: true, eager_input_streaming: true, defer_loading: false },
      { type: "web_search_20260318", name: "web_search" },
    ],
    messages,
  };
  const betas =
    "task-budgets-2026-03-13,mcp-client-2025-11-20,server-side-fallback-2026-07-01,mid-conversation-output-config-2026-07-01,some-new-beta-2027-01-01";
  expect(refusalText(createRig().send(fields, { "anthropic-beta": betas }))).toBeUndefined();
  expect(refusalText(createRig().send(fields))).toMatch(/Extra inputs are not permitted$/);
});
