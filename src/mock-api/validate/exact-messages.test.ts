import { expect, test } from "vitest";
import type { WireMessage } from "../../transcript/index.ts";
import type { Reply } from "../call.ts";
import type { Fault } from "../fault.ts";
import type { MockApiOptions } from "../options.ts";
import type { ModelPort } from "../ports.ts";
import type { Rig } from "../test-rig.ts";
import {
  assistant,
  call,
  createRig,
  image,
  messageOf,
  pdf,
  png,
  refusalText,
  result,
  text,
  user,
} from "../test-rig.ts";

const docs = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking";

/** The list "Exact messages" of the spec, word for word: status, type, text. Remarks in brackets there are lines of their own here. */
const list: readonly (readonly [status: number, type: string, text: string])[] = [
  [400, "invalid_request_error", "prompt is too long: 207547 tokens > 200000 maximum"],
  [
    400,
    "invalid_request_error",
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
  ],
  [
    400,
    "invalid_request_error",
    "max_tokens: 250000 > 128000, which is the maximum allowed number of output tokens for MODEL",
  ],
  [400, "invalid_request_error", "PATH: Extra inputs are not permitted"],
  [400, "invalid_request_error", "`temperature` is deprecated for this model."],
  [400, "invalid_request_error", "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"],
  [
    400,
    "invalid_request_error",
    `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. Please consult our documentation at ${docs}#max-tokens-and-context-window-size`,
  ],
  [
    400,
    "invalid_request_error",
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  ],
  [
    400,
    "invalid_request_error",
    '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  ],
  [400, "invalid_request_error", "adaptive thinking is not supported on this model"],
  [400, "invalid_request_error", 'tool_choice: type "tool" and "any" are not supported for this model.'],
  [
    400,
    "invalid_request_error",
    "messages.I: `tool_use` ids were found without `tool_result` blocks immediately after: ID. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ],
  [
    400,
    "invalid_request_error",
    "messages.I.content.J: unexpected `tool_use_id` found in `tool_result` blocks: ID. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
  ],
  [400, "invalid_request_error", "messages.I.content.J: `tool_use` ids must be unique"],
  [400, "invalid_request_error", "messages.I.content.J.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
  [
    400,
    "invalid_request_error",
    "messages.I.content.J: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
  ],
  [
    400,
    "invalid_request_error",
    `messages.I.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at ${docs}`,
  ],
  [
    400,
    "invalid_request_error",
    "messages.I.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.",
  ],
  [400, "invalid_request_error", "messages.I.content.J: Invalid `signature` in `thinking` block"],
  [
    400,
    "invalid_request_error",
    'messages.I.content.J: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  ],
  [400, "invalid_request_error", "messages.I.content.J.thinking.signature: Field required"],
  [400, "invalid_request_error", "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive"],
  [400, "invalid_request_error", "messages: text content blocks must be non-empty"],
  [400, "invalid_request_error", "messages: text content blocks must contain non-whitespace text"],
  [
    400,
    "invalid_request_error",
    "messages.I: all messages must have non-empty content except for the optional final assistant message",
  ],
  [400, "invalid_request_error", "messages.I.content.J.text: cache_control cannot be set for empty text blocks"],
  [400, "invalid_request_error", "A maximum of 4 blocks with cache_control may be provided. Found 5."],
  [400, "invalid_request_error", "messages: final assistant content cannot end with trailing whitespace"],
  [
    400,
    "invalid_request_error",
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  ],
  [400, "invalid_request_error", 'messages: first message must use the "user" role'],
  [
    400,
    "invalid_request_error",
    "messages.I.content.J.image.source.base64: image exceeds 10 MB maximum: 11414068 bytes > 10485760 bytes",
  ],
  [
    400,
    "invalid_request_error",
    "messages.I.content.J.image.source.base64: image exceeds 5 MB maximum: 11414068 bytes > 5242880 bytes",
  ],
  [
    400,
    "invalid_request_error",
    "messages.I.content.J.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
  ],
  [
    400,
    "invalid_request_error",
    "messages.I.content.J.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
  ],
  [
    400,
    "invalid_request_error",
    "messages.I.content.J.pdf.source.base64.data: A maximum of 600 PDF pages may be provided.",
  ],
  [
    400,
    "invalid_request_error",
    "messages.I.content.J.pdf.source.base64.data: A maximum of 100 PDF pages may be provided.",
  ],
  [400, "invalid_request_error", "The long context beta is not yet available for this subscription."],
  [413, "request_too_large", "Request exceeds the maximum size"],
  [
    429,
    "rate_limit_error",
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute (org: ORG, model: MODEL). For details, refer to: https://docs.claude.com/en/api/rate-limits. You can see the response headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later. You may also contact sales at https://claude.com/contact-sales to discuss your options for a rate limit increase.",
  ],
  [429, "rate_limit_error", "Extra usage is required for long context requests."],
  [529, "overloaded_error", "Overloaded"],
];

/** What stands for something else in the list: places, ids, names, and the figures of an example. */
const standIns: Readonly<Record<string, string>> = {
  I: "\\d+",
  J: "\\d+",
  ID: "[\\w-]+",
  MODEL: "[\\w.-]+",
  ORG: "[\\w-]+",
  PATH: "[\\w.]+",
  "207547": "\\d+",
  "200000": "\\d+",
  "188240": "\\d+",
  "21333": "\\d+",
  "11414068": "\\d+",
};

function patternOf(line: string): RegExp {
  const escaped = line.replace(/[$()*+.?[\]^{|}]/g, "\\$&");
  return new RegExp(
    `^${escaped.replace(/\b(I|J|ID|MODEL|ORG|PATH|207547|200000|188240|21333|11414068)\b/g, (name) => standIns[name] as string)}$`,
  );
}

/** A request that is refused with exactly this text, and its nearest neighbour that is accepted: the fields of a request, or a small session. */
interface Row {
  readonly says: string;
  readonly bad: object | ((rig: Rig) => Reply);
  readonly good: object | ((rig: Rig) => Reply);
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: Partial<MockApiOptions>;
  /** Of the accepting neighbour, where they are not the same. */
  readonly goodOptions?: Partial<MockApiOptions>;
}

const loop = (id = "a"): unknown[] => [user("go"), assistant([call(id)]), user([result(id)])];
const breakpoint = { cache_control: { type: "ephemeral" } };
const tools = [{ name: "Read", input_schema: { type: "object" } }];
const long = user("word ".repeat(20_000));
const struck = (kind: Fault["kind"], settings: Fault["with"] = {}): Partial<MockApiOptions> => ({
  faults: [{ id: "f", kind, match: {}, with: settings }],
});

/** The true size of the long message, and windows around it. */
const size = createRig().api.countTrueTokens({ model: "claude-opus-4-6", max_tokens: 1, messages: [long] }) as number;
const oldSize = createRig().api.countTrueTokens({
  model: "claude-opus-4-5",
  max_tokens: 1,
  messages: [long],
}) as number;

const thinks: ModelPort = () => ({
  content: [
    { kind: "thinking", thinking: "hm" },
    { kind: "tool-call", name: "Read", input: {} },
  ],
  trace: [],
});
/** A request, and a second one that goes on from its answer, with its thinking and its first message changed. */
const goOn =
  (first: string, thought: (text: string) => string) =>
  (rig: Rig): Reply => {
    const base = { model: "claude-opus-5-5", tools };
    const { content } = messageOf(rig.send({ ...base, messages: [user("go")] }));
    const [thinking, use] = content as unknown as readonly [{ readonly thinking: string }, { readonly id: string }];
    const { caller: _, ...plainCall } = use as { readonly id: string; readonly caller?: unknown };
    const answer = assistant([
      { ...thinking, thinking: thought(thinking.thinking) },
      plainCall,
    ] as unknown as WireMessage["content"]);
    return rig.send({
      ...base,
      messages: [user(first), answer, user([result(use.id)] as unknown as WireMessage["content"])],
    });
  };
const same = (text: string): string => text;

const rows: readonly Row[] = [
  {
    says: `prompt is too long: ${size} tokens > ${size - 1} maximum`,
    bad: { messages: [long] },
    good: { messages: [long] },
    options: { windowOverride: size - 1 },
    goodOptions: { windowOverride: size },
  },
  {
    says: `input length and \`max_tokens\` exceed context limit: ${oldSize} + 1000 > ${oldSize + 999}, decrease input length or \`max_tokens\` and try again`,
    bad: { model: "claude-opus-4-5", messages: [long] },
    good: { model: "claude-opus-4-5", messages: [long], max_tokens: 999 },
    options: { windowOverride: oldSize + 999, profile: "legacy-output-check" },
  },
  {
    says: "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
    bad: goOn("go", (text) => `${text}!`),
    good: goOn("go", same),
    options: { model: thinks },
  },
  {
    says: 'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
    bad: goOn("GO", same),
    good: goOn("go", same),
    options: { model: thinks },
  },
  {
    says: "The long context beta is not yet available for this subscription.",
    bad: {},
    good: {},
    options: struck("long-context-denied"),
    goodOptions: {},
  },
  {
    says: "Request exceeds the maximum size",
    bad: { messages: [1, 2, 3, 4, 5].map((n) => user([text(`${n}`), image("A".repeat(8_000_000))] as never)) },
    good: { messages: [1, 2, 3, 4].map((n) => user([text(`${n}`), image("A".repeat(8_000_000))] as never)) },
  },
  {
    says: `This request would exceed your organization's rate limit of 30,000 input tokens per minute (org: 00000000-0000-4000-a000-000000000000, model: claude-opus-4-6). For details, refer to: https://docs.claude.com/en/api/rate-limits. You can see the response headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later. You may also contact sales at https://claude.com/contact-sales to discuss your options for a rate limit increase.`,
    bad: (rig) => {
      rig.send({ messages: [long] });
      return rig.send({ messages: [long] });
    },
    good: { messages: [long] },
    options: { inputTokensPerMinute: 30_000 },
  },
  {
    says: "Extra usage is required for long context requests.",
    bad: {},
    good: {},
    options: struck("rate-limit", { extraUsage: true }),
    goodOptions: {},
  },
  { says: "Overloaded", bad: {}, good: {}, options: struck("overloaded"), goodOptions: {} },
  {
    says: "max_tokens: 250000 > 128000, which is the maximum allowed number of output tokens for claude-opus-4-6",
    bad: { max_tokens: 250_000 },
    good: { max_tokens: 128_000 },
  },
  {
    says: "`temperature` is deprecated for this model.",
    bad: { model: "claude-opus-4-7", temperature: 0.5 },
    good: { model: "claude-opus-4-7", temperature: 1 },
  },
  { says: "foo: Extra inputs are not permitted", bad: { foo: 1 }, good: { metadata: { user_id: "u" } } },
  {
    says: 'messages: first message must use the "user" role',
    bad: { messages: [assistant("x"), user("y")] },
    good: { messages: [user("x"), assistant("y"), user("z")] },
    options: { profile: "bedrock" },
  },
  {
    says: "messages: text content blocks must be non-empty",
    bad: { messages: [user([text("")])] },
    good: { messages: [user([text(".")])] },
  },
  {
    says: "messages: text content blocks must contain non-whitespace text",
    bad: { messages: [user([text(" \n")])] },
    good: { messages: [user([text(" x\n")])] },
  },
  {
    says: "messages.1: all messages must have non-empty content except for the optional final assistant message",
    bad: { model: "claude-opus-4-5", messages: [user("x"), assistant([]), user("y")] },
    good: { model: "claude-opus-4-5", messages: [user("x"), assistant([])] },
  },
  {
    says: "messages: final assistant content cannot end with trailing whitespace",
    bad: { model: "claude-opus-4-5", messages: [user("x"), assistant("{ ")] },
    good: { model: "claude-opus-4-5", messages: [user("x"), assistant("{")] },
  },
  {
    says: "This model does not support assistant message prefill. The conversation must end with a user message.",
    bad: { messages: [user("x"), assistant("{")] },
    good: { messages: [user("x"), assistant("{"), user("go on")] },
  },
  {
    says: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    bad: { messages: [user("go"), assistant([call("a")]), user([text("wait"), result("a")])] },
    good: { messages: [user("go"), assistant([call("a")]), user([result("a"), text("wait")])] },
  },
  {
    says: "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: z. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    bad: { messages: [user("go"), assistant([call("a")]), user([result("a"), result("z")])] },
    good: { messages: loop() },
  },
  {
    says: "messages.3.content.0: `tool_use` ids must be unique",
    bad: { messages: [...loop(), assistant([call("a")]), user([result("a")])] },
    good: { messages: [...loop(), assistant([call("b")]), user([result("b")])] },
  },
  {
    says: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    bad: { messages: loop("a b") },
    good: { messages: loop("a_b-9") },
  },
  {
    says: 'tool_choice: type "tool" and "any" are not supported for this model.',
    bad: { model: "claude-opus-5-5", tools, tool_choice: { type: "any" } },
    good: { model: "claude-opus-5-5", tools, tool_choice: { type: "auto" } },
  },
  {
    says: "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    bad: { max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 1_023 } },
    good: { max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 1_024 } },
  },
  {
    says: `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. Please consult our documentation at ${docs}#max-tokens-and-context-window-size`,
    bad: { max_tokens: 2_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
    good: { max_tokens: 2_001, thinking: { type: "enabled", budget_tokens: 2_000 } },
  },
  {
    says: '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    bad: { model: "claude-opus-5", max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
    good: { model: "claude-opus-5", max_tokens: 4_000, thinking: { type: "adaptive" } },
  },
  {
    says: '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    bad: { model: "claude-opus-5-5", thinking: { type: "disabled" } },
    good: { model: "claude-opus-5", thinking: { type: "disabled" } },
  },
  {
    says: "adaptive thinking is not supported on this model",
    bad: { model: "claude-haiku-4-5", thinking: { type: "adaptive" } },
    good: { thinking: { type: "adaptive" } },
  },
  {
    says: `messages.1.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at ${docs}`,
    bad: { max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 2_000 }, messages: loop() },
    good: { max_tokens: 4_000, thinking: { type: "adaptive" }, messages: loop() },
  },
  {
    says: "messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.",
    bad: {
      model: "claude-opus-4-5",
      messages: [user("x"), assistant([{ type: "thinking", thinking: "h", signature: "s" }])],
    },
    good: { model: "claude-opus-4-5", messages: [user("x"), assistant([text("h")])] },
  },
  {
    says: "messages.1.content.0: Invalid `signature` in `thinking` block",
    bad: {
      messages: [user("x"), assistant([{ type: "thinking", thinking: "h", signature: "s" }, text("y")]), user("z")],
    },
    good: { messages: [user("x"), assistant([text("y")]), user("z")] },
  },
  {
    says: "messages.1.content.0.thinking.signature: Field required",
    bad: { messages: [user("x"), assistant([{ type: "thinking", thinking: "h" }, text("y")]), user("z")] },
    good: { messages: [user("x"), assistant([text("y")]), user("z")] },
  },
  {
    says: "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive",
    bad: { context_management: { edits: [{ type: "clear_thinking_20251015" }] } },
    good: { context_management: { edits: [{ type: "clear_thinking_20251015" }] }, thinking: { type: "adaptive" } },
    headers: { "anthropic-beta": "context-management-2025-06-27" },
  },
  {
    says: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    bad: { messages: [user([1, 2, 3, 4, 5].map((n) => text(`t${n}`, breakpoint)))] },
    good: { messages: [user([1, 2, 3, 4].map((n) => text(`t${n}`, breakpoint)))] },
  },
  {
    says: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    bad: { ...breakpoint, messages: [user([...[1, 2, 3, 4].map((n) => text(`t${n}`, breakpoint)), text("end")])] },
    good: { ...breakpoint, messages: [user([1, 2, 3, 4].map((n) => text(`t${n}`, breakpoint)))] },
  },
  {
    says: "messages.0.content.0.text: cache_control cannot be set for empty text blocks",
    bad: { messages: [user([text("", breakpoint), text("x")])] },
    good: { messages: [user([text("x", breakpoint)])] },
  },
  {
    says: "messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485761 bytes > 10485760 bytes",
    bad: { messages: [user([image("A".repeat(10_485_761)) as never])] },
    good: { messages: [user([image("A".repeat(10_485_760)) as never])] },
  },
  {
    says: "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242881 bytes > 5242880 bytes",
    bad: { messages: [user([image("A".repeat(5_242_881)) as never])] },
    good: { messages: [user([image("A".repeat(5_242_880)) as never])] },
    options: { profile: "vertex" },
  },
  {
    says: "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    bad: { messages: [user([image(png(8_001, 10)) as never])] },
    good: { messages: [user([image(png(8_000, 10)) as never])] },
  },
  {
    says: "messages.0.content.20.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
    bad: { messages: [user([...Array(20).fill(image(png(9, 9))), image(png(2_001, 9))] as never)] },
    good: { messages: [user([...Array(19).fill(image(png(9, 9))), image(png(2_001, 9))] as never)] },
  },
  {
    says: "messages.0.content.0.pdf.source.base64.data: A maximum of 600 PDF pages may be provided.",
    bad: { messages: [user([pdf(601) as never])] },
    good: { messages: [user([pdf(1) as never])] },
  },
  {
    says: "messages.0.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided.",
    bad: { model: "claude-haiku-4-5", messages: [user([pdf(101) as never])] },
    good: { model: "claude-haiku-4-5", messages: [user([pdf(100) as never])] },
  },
];

const reply = (rig: Rig, asked: Row["bad"], headers: Row["headers"]): Reply =>
  typeof asked === "function" ? asked(rig) : rig.send({ ...asked }, headers);

test.each(rows.map((row) => [row.says.slice(0, 120), row] as const))("exact: %s", (_, row) => {
  const refused = reply(createRig(row.options), row.bad, row.headers);
  expect(refusalText(refused)).toBe(row.says);
  const { error } = (refused.body as { readonly value: { readonly error: { readonly type: string } } }).value;
  const line = list.find(([, , text]) => patternOf(text).test(row.says));
  expect([refused.status, error.type]).toEqual(line?.slice(0, 2));
  expect(refusalText(reply(createRig(row.goodOptions ?? row.options), row.good, row.headers))).toBeUndefined();
});

test("every message of the list has a row, and every row stands in the list", () => {
  const without = list.filter(([, , line]) => !rows.some((row) => patternOf(line).test(row.says)));
  expect(without).toEqual([]);
  const strays = rows.filter((row) => list.filter(([, , line]) => patternOf(line).test(row.says)).length !== 1);
  expect(strays.map((row) => row.says)).toEqual([]);
});

test("the list's error in a stream comes after a 200 and ends the stream", () => {
  const { status, body } = createRig(struck("stream-error-event")).send({ stream: true });
  const events = body.kind === "events" ? body.events : [];
  expect(status).toBe(200);
  expect(`event: ${events.at(-1)?.type}  data: ${JSON.stringify(events.at(-1))}`).toBe(
    'event: error  data: {"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"}}',
  );
  expect(events.map((event) => event.type)).not.toContain("message_stop");
});
