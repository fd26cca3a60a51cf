import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import type { WireMessage, WireRequest } from "../../transcript/index.ts";
import type { ModelPort } from "../ports.ts";
import type { Rig, Wire } from "../test-rig.ts";
import { assistant, call, createRig, messageOf, refusalText, result, text, user } from "../test-rig.ts";
import { createFetch } from "../transports/fetch.ts";
import { clearedResult } from "./clear-tool-uses.ts";

const beta = { "anthropic-beta": "context-management-2025-06-27,compact-2026-01-12,compact-2026-09-04" };
const big = "some words that are long enough ".repeat(1_000);

/** A model that summarises when asked, and a note of all that it saw. */
function rigWith(summary: string | null = "<summary>All is well.</summary>"): { rig: Rig; seen: WireRequest[] } {
  const seen: WireRequest[] = [];
  const model: ModelPort = (request, { source }) => {
    seen.push(request);
    if (source === "compact")
      return { content: summary === null ? [] : [{ kind: "text", text: summary }], trace: ["summary"] };
    return { content: [{ kind: "text", text: "Understood." }], trace: ["answer"] };
  };
  return { rig: createRig({ model }), seen };
}

function toolLoop(count: number, name = "Read"): WireMessage[] {
  const messages: WireMessage[] = [user("go")];
  for (let i = 0; i < count; i++)
    messages.push(assistant([call(`id${i}`, name)]), user([result(`id${i}`, `${big}${i}`)] as never));
  return messages;
}
const send = (rig: Rig, fields: object): Wire => messageOf(rig.send({ model: "claude-opus-4-8", ...fields }, beta));
const edits = (...list: object[]): object => ({ context_management: { edits: list } });

test("K4: clear_tool_uses empties all but the latest results, says what it freed, and bills the rest", () => {
  const { rig, seen } = rigWith();
  const edit = {
    type: "clear_tool_uses_20250919",
    trigger: { type: "tool_uses", value: 4 },
    keep: { type: "tool_uses", value: 2 },
  };
  const messages = toolLoop(6);
  const whole = send(rig, { messages }).usage.input_tokens as number;
  const answer = send(rig, { messages, ...edits(edit) });
  const [applied] = (
    answer.context_management as { applied_edits: { cleared_tool_uses: number; cleared_input_tokens: number }[] }
  ).applied_edits;
  expect(applied?.cleared_tool_uses).toBe(4);
  expect(answer.usage.input_tokens).toBe(whole - (applied?.cleared_input_tokens ?? 0));
  const sent = JSON.stringify(seen.at(-1)?.messages);
  expect(sent.split(clearedResult)).toHaveLength(1 + 4);
});

test("K4: the trigger, what is excluded, the least to free and the inputs are respected", () => {
  const { rig, seen } = rigWith();
  const base = { type: "clear_tool_uses_20250919", trigger: { type: "input_tokens", value: 1_000 } };
  const applied = (edit: object, messages = toolLoop(6)): unknown[] =>
    (send(rig, { messages, ...edits({ ...base, ...edit }) }).context_management as { applied_edits: unknown[] })
      .applied_edits;
  expect(applied({})).toMatchObject([{ cleared_tool_uses: 3 }]);
  expect(applied({ trigger: { type: "input_tokens", value: 900_000 } })).toEqual([]);
  expect(applied({ exclude_tools: ["Read"] })).toEqual([]);
  expect(applied({ clear_at_least: { type: "input_tokens", value: 900_000 } })).toEqual([]);
  expect(
    applied(
      { clear_tool_inputs: ["Read"] },
      toolLoop(6).map((message) => JSON.parse(JSON.stringify(message).replaceAll('"input":{}', '"input":{"p":1}'))),
    ),
  ).toMatchObject([{ cleared_tool_uses: 3 }]);
  expect(JSON.stringify(seen.at(-1)).match(/"input":\{\}/g)).toHaveLength(3);
});

test("K4: the edits stand in their order, once, with their beta, above their minimum", () => {
  const { rig } = rigWith();
  const refused = (list: object[], headers = beta): string | undefined =>
    refusalText(rig.send({ model: "claude-opus-4-8", thinking: { type: "adaptive" }, ...edits(...list) }, headers));
  const tools = { type: "clear_tool_uses_20250919" };
  const thinking = { type: "clear_thinking_20251015", keep: "all" };
  expect(refused([thinking, tools])).toBeUndefined();
  expect(refused([tools, thinking])).toContain("must be the first of the edits");
  expect(refused([tools, tools])).toContain("only once");
  expect(refused([{ type: "compact_20260112", trigger: { type: "input_tokens", value: 49_999 } }])).toBe(
    "context_management.edits.0.compact_20260112.trigger.value: Input should be greater than or equal to 50000",
  );
  expect(refused([{ type: "compact_20260112" }], { "anthropic-beta": "context-management-2025-06-27" })).toBe(
    "context_management.edits.0: Extra inputs are not permitted",
  );
});

test("K4: clear_thinking keeps the latest thinking turns", () => {
  const model: ModelPort = () => ({
    content: [
      { kind: "thinking", thinking: big },
      { kind: "tool-call", name: "Read", input: {} },
    ],
    trace: [],
  });
  const rig = createRig({ model });
  const base = {
    model: "claude-opus-5",
    thinking: { type: "adaptive" },
    tools: [{ name: "Read", input_schema: { type: "object" } }],
    max_tokens: 20_000,
  };
  const messages: WireMessage[] = [user("go")];
  for (let n = 0; n < 3; n++) {
    const { content } = messageOf(rig.send({ ...base, messages: [...messages] }));
    messages.push(
      assistant(content.map(({ caller: _, ...block }) => block)),
      user([result(content.at(-1)?.id as string)] as never),
    );
  }
  const applied = (keep: object): unknown =>
    (
      messageOf(rig.send({ ...base, messages, ...edits({ type: "clear_thinking_20251015", ...keep }) }, beta))
        .context_management as { applied_edits: unknown }
    ).applied_edits;
  expect(applied({})).toMatchObject([{ cleared_thinking_turns: 2 }]);
  expect(applied({ keep: { type: "thinking_turns", value: 2 } })).toMatchObject([{ cleared_thinking_turns: 1 }]);
  expect(applied({ keep: "all" })).toEqual([]);
});

const compact = (more: object = {}): object =>
  edits({ type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 }, ...more });
const huge = toolLoop(12);

test("K4: above its trigger the server compacts, answers from the summary, and keeps the compaction out of the top-level usage", () => {
  const { rig, seen } = rigWith();
  const answer = send(rig, { messages: huge, ...compact() });
  expect(answer.content).toEqual([
    { type: "compaction", content: "All is well.", encrypted_content: null },
    { type: "text", text: "Understood." },
  ]);
  const iterations = answer.usage.iterations as unknown as { type: string; input_tokens: number }[];
  expect(iterations.map(({ type }) => type)).toEqual(["compaction", "message"]);
  expect(iterations[0]?.input_tokens).toBeGreaterThan(50_000);
  expect(answer.usage.input_tokens).toBe(iterations[1]?.input_tokens);
  expect(answer.usage.input_tokens).toBeLessThan(200);
  expect(JSON.stringify(seen.at(-1)?.messages)).toContain("All is well.");
  expect(rig.events.at(-1)).toMatchObject({ kind: "served", trace: ["summary", "answer"] });
  const next = send(rig, { messages: [...huge, assistant(answer.content as never), user("go on")].map(strip) });
  expect(next.usage.input_tokens).toBeLessThan(300);
});
const strip = (message: WireMessage): WireMessage =>
  JSON.parse(JSON.stringify(message).replaceAll(',"citations":null', ""));

test("K4: a pause gives the block alone; below the trigger nothing happens; a failure is a block without content", () => {
  const { rig } = rigWith();
  const paused = send(rig, { messages: huge, ...compact({ pause_after_compaction: true }) });
  expect(paused).toMatchObject({
    stop_reason: "compaction",
    content: [{ type: "compaction" }],
    usage: { input_tokens: 0, output_tokens: 0 },
  });
  expect(send(rig, { messages: toolLoop(1), ...compact() }).content).toHaveLength(1);
  const failing = rigWith(null).rig;
  const failed = send(failing, { messages: huge, ...compact() });
  expect(failed.content[0]).toMatchObject({ type: "compaction", content: null });
  const back = send(failing, { messages: [...huge, assistant(failed.content as never), user("x")].map(strip) });
  expect(back.usage.input_tokens).toBeGreaterThan(50_000);
});

const onDemand = { compaction: { type: "summarize" } };

test("K4: a compaction on demand gives one signed block that is adopted when it comes back first and unchanged", () => {
  const { rig } = rigWith();
  const answer = send(rig, { messages: toolLoop(3), ...onDemand });
  expect(answer).toMatchObject({ stop_reason: "compaction", usage: { input_tokens: 0, output_tokens: 0 } });
  expect(answer.content).toHaveLength(1);
  const block = answer.content[0] as never as Record<string, unknown>;
  expect(block).toMatchObject({ type: "compaction", content: "All is well.", signature: expect.any(String) });
  const ask = (...content: object[]): string | undefined =>
    refusalText(
      rig.send({ model: "claude-opus-4-8", messages: [user(content as never), assistant("k"), user("go on")] }, beta),
    );
  const code = (reply: ReturnType<Rig["send"]>): unknown =>
    (reply.body as { value: { error: { details: { error_code: string } } } }).value.error.details.error_code;
  const codeOf = (messages: WireMessage[], more: object = {}): unknown =>
    code(rig.send({ model: "claude-opus-4-8", messages, ...more }, beta));
  expect(ask(block)).toBeUndefined();
  expect(codeOf([user([block, block] as never), user("x")])).toBe("compaction_block_ambiguous");
  expect(codeOf([user([text("x"), block] as never)])).toBe("compaction_block_misplaced");
  expect(codeOf([user([{ ...block, content: "other" }] as never), user("x")])).toBe("compaction_content_mismatch");
  expect(codeOf([user([{ ...block, signature: "other" }] as never), user("x")])).toBe("compaction_signature_invalid");
  expect(codeOf([user([{ ...block, tool_changes: [{}] }] as never), user("x")])).toBe(
    "compaction_tool_changes_mismatch",
  );
  expect(codeOf([user([block] as never)], onDemand)).toBe("compaction_nothing_to_summarize");
  expect(codeOf([user("x"), assistant([call("a")])], onDemand)).toBe("compaction_incomplete_turn");
  const many = Array.from({ length: 513 }, (_, i) => ({ name: `t${i}`, input_schema: { type: "object" } }));
  expect(codeOf([user("x")], { ...onDemand, tools: many })).toBe("compaction_too_many_tool_references");
});

test("K4: a compaction that cannot be made now is a 529 that says so", () => {
  const rig = createRig({ faults: [{ id: "f", kind: "overloaded", match: {} }] });
  const reply = rig.send(onDemand, beta);
  expect(reply.status).toBe(529);
  expect(reply.headers["x-should-retry"]).toBe("true");
  expect(reply.body).toMatchObject({ value: { error: { details: { error_code: "compaction_unavailable" } } } });
});

test("K4: a compaction on demand goes with no context management, stop sequences, format or forced tool", () => {
  const { rig } = rigWith();
  const tool = { name: "Read", input_schema: { type: "object" } };
  for (const clash of [
    edits(),
    { stop_sequences: ["x"] },
    { output_config: { format: { type: "json_schema", schema: {} } } },
    { tools: [tool], tool_choice: { type: "any" } },
  ])
    expect(refusalText(rig.send({ ...onDemand, ...clash }, beta))).toContain("compaction: cannot be combined with");
  expect(send(rigWith(null).rig, { ...onDemand }).content).toEqual([]);
});

test("K4: the SDK's beta client streams compactions: one delta at a threshold, whole in the start on demand", async () => {
  const { rig } = rigWith();
  const client = new Anthropic({ apiKey: "k", fetch: createFetch(rig.api), maxRetries: 0 });
  const shared = {
    model: "claude-opus-4-8",
    max_tokens: 5_000,
    messages: huge as never,
    betas: ["compact-2026-01-12", "compact-2026-09-04"],
  };
  const threshold = client.beta.messages.stream({
    ...shared,
    context_management: { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } }] },
  });
  const events: string[] = [];
  for await (const event of threshold)
    events.push(event.type === "content_block_delta" ? event.delta.type : event.type);
  expect(events.filter((type) => type === "compaction_delta")).toHaveLength(1);
  const message = await threshold.finalMessage();
  expect(message.content).toMatchObject([{ type: "compaction", content: "All is well." }, { type: "text" }]);
  expect(message.usage.iterations).toHaveLength(2);
  const whole = await client.beta.messages
    .stream({ ...shared, ...{ compaction: { type: "summarize" } } } as never)
    .finalMessage();
  expect(whole).toMatchObject({
    stop_reason: "compaction",
    content: [{ type: "compaction", content: "All is well." }],
  });
  const counted = await client.beta.messages.countTokens({
    model: shared.model,
    messages: huge as never,
    betas: ["context-management-2025-06-27"],
    context_management: { edits: [{ type: "clear_tool_uses_20250919", trigger: { type: "tool_uses", value: 1 } }] },
  });
  expect(counted.context_management?.original_input_tokens).toBeGreaterThan(counted.input_tokens);
});
