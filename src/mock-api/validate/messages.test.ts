import { expect, test } from "vitest";
import type { MockApiOptions } from "../options.ts";
import { assistant, call, createRig, refusalText, result, text, user } from "../test-rig.ts";

/** A request that is refused with exactly this text, and its nearest neighbour that is accepted. */
interface Row {
  readonly rule: string;
  readonly says: string;
  readonly bad: object;
  readonly good: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: Partial<MockApiOptions>;
  readonly status?: number;
}

const loop = (id = "a"): unknown[] => [user("go"), assistant([call(id)]), user([result(id)])];
const breakpoint = { cache_control: { type: "ephemeral" } };
const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };
const docs = "Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking";
const tools = [{ name: "Read", input_schema: { type: "object" } }];

/** A PNG header of that size, as far as the validator reads one. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}
const image = (data: string): object => ({ type: "image", source: { type: "base64", media_type: "image/png", data } });
const pdf = (pages: number): object => ({
  type: "document",
  source: {
    type: "base64",
    media_type: "application/pdf",
    data: Buffer.from("/Type /Page\n".repeat(pages)).toString("base64"),
  },
});

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
    says: "max_tokens: 250000 > 128000, which is the maximum allowed number of output tokens for claude-opus-4-6",
    bad: { max_tokens: 250_000 },
    good: { max_tokens: 128_000 },
  },
  {
    rule: "V1",
    says: "max_tokens: 0 is not supported with `stream`",
    bad: { max_tokens: 0, stream: true },
    good: { max_tokens: 0 },
  },
  {
    rule: "V1",
    says: "`temperature` is deprecated for this model.",
    bad: { model: "claude-opus-4-7", temperature: 0.5 },
    good: { model: "claude-opus-4-7", temperature: 1 },
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
  { rule: "A6", says: "foo: Extra inputs are not permitted", bad: { foo: 1 }, good: { metadata: { user_id: "u" } } },
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
    says: 'messages: first message must use the "user" role',
    bad: { messages: [assistant("x"), user("y")] },
    good: { messages: [user("x"), assistant("y"), user("z")] },
    options: { profile: "bedrock" },
  },
  {
    rule: "V2",
    says: 'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    bad: { messages: [user("x"), user("y")] },
    good: {},
    options: { profile: "strict-roles" },
  },
  {
    rule: "V3",
    says: "messages: text content blocks must be non-empty",
    bad: { messages: [user([text("")])] },
    good: { messages: [user([text(".")])] },
  },
  {
    rule: "V3",
    says: "messages: text content blocks must contain non-whitespace text",
    bad: { messages: [user([text(" \n")])] },
    good: { messages: [user([text(" x\n")])] },
  },
  {
    rule: "V3",
    says: "messages.1: all messages must have non-empty content except for the optional final assistant message",
    bad: { model: "claude-opus-4-5", messages: [user("x"), assistant([]), user("y")] },
    good: { model: "claude-opus-4-5", messages: [user("x"), assistant([])] },
  },
  {
    rule: "V3",
    says: "messages: final assistant content cannot end with trailing whitespace",
    bad: { model: "claude-opus-4-5", messages: [user("x"), assistant("{ ")] },
    good: { model: "claude-opus-4-5", messages: [user("x"), assistant("{")] },
  },
  {
    rule: "V3",
    says: "This model does not support assistant message prefill. The conversation must end with a user message.",
    bad: { messages: [user("x"), assistant("{")] },
    good: { messages: [user("x"), assistant("{"), user("go on")] },
  },
  {
    rule: "V4",
    says: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    bad: { messages: [user("go"), assistant([call("a")]), user([text("wait"), result("a")])] },
    good: { messages: [user("go"), assistant([call("a")]), user([result("a"), text("wait")])] },
  },
  {
    rule: "V4",
    says: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a, b. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    bad: { messages: [user("go"), assistant([call("a"), call("b")]), user("and?")] },
    good: { messages: [user("go"), assistant([call("a"), call("b")]), user([result("b"), result("a")])] },
  },
  {
    rule: "V4",
    says: "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: z. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    bad: { messages: [user("go"), assistant([call("a")]), user([result("a"), result("z")])] },
    good: { messages: loop() },
  },
  {
    rule: "V4",
    says: "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    bad: { messages: [user("go"), assistant([call("a")]), user([result("a"), result("a")])] },
    good: { messages: loop() },
  },
  {
    rule: "V4",
    says: "messages.3.content.0: `tool_use` ids must be unique",
    bad: { messages: [...loop(), assistant([call("a")]), user([result("a")])] },
    good: { messages: [...loop(), assistant([call("b")]), user([result("b")])] },
  },
  {
    rule: "V4",
    says: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    bad: { messages: loop("a b") },
    good: { messages: loop("a_b-9") },
  },
  {
    rule: "V4",
    says: "messages.1.content.0.tool_use.id: String should have at most 64 characters",
    bad: { messages: loop("a".repeat(65)) },
    good: { messages: loop("a".repeat(64)) },
  },
  {
    rule: "V4",
    says: 'tool_choice: type "tool" and "any" are not supported for this model.',
    bad: { model: "claude-opus-5-5", tools, tool_choice: { type: "any" } },
    good: { model: "claude-opus-5-5", tools, tool_choice: { type: "auto" } },
  },
  {
    rule: "V5",
    says: "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    bad: { max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 1_023 } },
    good: { max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 1_024 } },
  },
  {
    rule: "V5",
    says: `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. ${docs}#max-tokens-and-context-window-size`,
    bad: { max_tokens: 2_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
    good: { max_tokens: 2_001, thinking: { type: "enabled", budget_tokens: 2_000 } },
  },
  {
    rule: "V5",
    says: '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    bad: { model: "claude-opus-5", max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
    good: { model: "claude-opus-5", max_tokens: 4_000, thinking: { type: "adaptive" } },
  },
  {
    rule: "V5",
    says: '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    bad: { model: "claude-opus-5-5", thinking: { type: "disabled" } },
    good: { model: "claude-opus-5", thinking: { type: "disabled" } },
  },
  {
    rule: "V5",
    says: "adaptive thinking is not supported on this model",
    bad: { model: "claude-haiku-4-5", thinking: { type: "adaptive" } },
    good: { thinking: { type: "adaptive" } },
  },
  {
    rule: "V5",
    says: `messages.1.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. ${docs}`,
    bad: { max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 2_000 }, messages: loop() },
    good: { max_tokens: 4_000, thinking: { type: "adaptive" }, messages: loop() },
  },
  {
    rule: "V5",
    says: "messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.",
    bad: {
      model: "claude-opus-4-5",
      messages: [user("x"), assistant([{ type: "thinking", thinking: "h", signature: "s" }])],
    },
    good: { model: "claude-opus-4-5", messages: [user("x"), assistant([text("h")])] },
  },
  {
    rule: "V5",
    says: "messages.1.content.0: Invalid `signature` in `thinking` block",
    bad: {
      messages: [user("x"), assistant([{ type: "thinking", thinking: "h", signature: "s" }, text("y")]), user("z")],
    },
    good: { messages: [user("x"), assistant([text("y")]), user("z")] },
  },
  {
    rule: "V5",
    says: "messages.1.content.0.thinking.signature: Field required",
    bad: { messages: [user("x"), assistant([{ type: "thinking", thinking: "h" }, text("y")]), user("z")] },
    good: { messages: [user("x"), assistant([text("y")]), user("z")] },
  },
  {
    rule: "V5",
    says: "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive",
    bad: { context_management: { edits: [{ type: "clear_thinking_20251015" }] } },
    good: { context_management: { edits: [{ type: "clear_thinking_20251015" }] }, thinking: { type: "adaptive" } },
    headers: { "anthropic-beta": "context-management-2025-06-27" },
  },
  {
    rule: "V6",
    says: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    bad: { messages: [user([1, 2, 3, 4, 5].map((n) => text(`t${n}`, breakpoint)))] },
    good: { messages: [user([1, 2, 3, 4].map((n) => text(`t${n}`, breakpoint)))] },
  },
  {
    rule: "V6",
    says: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    bad: { ...breakpoint, messages: [user([...[1, 2, 3, 4].map((n) => text(`t${n}`, breakpoint)), text("end")])] },
    good: { ...breakpoint, messages: [user([1, 2, 3, 4].map((n) => text(`t${n}`, breakpoint)))] },
  },
  {
    rule: "V6",
    says: "messages.0.content.0.text: cache_control cannot be set for empty text blocks",
    bad: { messages: [user([text("", breakpoint), text("x")])] },
    good: { messages: [user([text("x", breakpoint)])] },
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
    says: "messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485761 bytes > 10485760 bytes",
    bad: { messages: [user([image("A".repeat(10_485_761)) as never])] },
    good: { messages: [user([image("A".repeat(10_485_760)) as never])] },
  },
  {
    rule: "V7",
    says: "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242881 bytes > 5242880 bytes",
    bad: { messages: [user([image("A".repeat(5_242_881)) as never])] },
    good: { messages: [user([image("A".repeat(5_242_880)) as never])] },
    options: { profile: "vertex" },
  },
  {
    rule: "V7",
    says: "messages.2.content.0.tool_result.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    bad: { messages: [user("go"), assistant([call("a")]), user([result("a", [text("x"), image(png(8_001, 10))])])] },
    good: { messages: [user("go"), assistant([call("a")]), user([result("a", [text("x"), image(png(8_000, 10))])])] },
  },
  {
    rule: "V7",
    says: "messages.0.content.20.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
    bad: { messages: [user([...Array(20).fill(image(png(9, 9))), image(png(2_001, 9))] as never)] },
    good: { messages: [user([...Array(19).fill(image(png(9, 9))), image(png(2_001, 9))] as never)] },
  },
  {
    rule: "V7",
    says: "messages.0.content.0.pdf.source.base64.data: A maximum of 600 PDF pages may be provided.",
    bad: { messages: [user([pdf(601) as never])] },
    good: { messages: [user([pdf(1) as never])] },
  },
  {
    rule: "V7",
    says: "messages.0.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided.",
    bad: { model: "claude-haiku-4-5", messages: [user([pdf(101) as never])] },
    good: { model: "claude-haiku-4-5", messages: [user([pdf(100) as never])] },
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
];

test.each(rows.map((row) => [`${row.rule}: ${row.says.slice(0, 110)}`, row] as const))("%s", (_, row) => {
  const refused = createRig(row.options).send({ ...row.bad }, row.headers);
  expect(refusalText(refused)).toBe(row.says);
  expect(refused.status).toBe(row.status ?? 400);
  expect(refusalText(createRig(row.options).send({ ...row.good }, row.headers))).toBeUndefined();
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
