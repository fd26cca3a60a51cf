import fc from "fast-check";
import { expect, test } from "vitest";
import type { WireBlock, WireMessage } from "../transcript/index.ts";
import type { Call } from "./index.ts";
import type { ModelPort } from "./ports.ts";
import type { Rig } from "./test-rig.ts";
import {
  assistant,
  call,
  callWith,
  createRig,
  image,
  messageOf,
  pdf,
  png,
  refusalText,
  result,
  text,
  user,
} from "./test-rig.ts";
import { createBodyParser } from "./transports/body-parser.ts";
import { callFrom } from "./transports/call-of.ts";

/** Requests of a run; `npm run fuzz` sends 100 000, and then 20 000 of garbage. */
const runs = Number(process.env.LONGHAUL_FUZZ ?? 1_000);
const garbageRuns = Number(process.env.LONGHAUL_GARBAGE ?? Math.ceil(runs / 3));
const tells = process.env.LONGHAUL_FUZZ_TABLE !== undefined;

interface Draft {
  model: string;
  max_tokens: number;
  messages: WireMessage[];
  [field: string]: unknown;
}

const tools = [{ name: "Read", input_schema: { type: "object" } }];
const breakpoint = { cache_control: { type: "ephemeral" } };
const contextBeta = "context-management-2025-06-27";

/** Answers with thinking and a call, so that the server has thinking to know again. */
const thinks: ModelPort = (request) => ({
  content: [
    { kind: "thinking", thinking: `first thought of ${request.messages.length}` },
    { kind: "thinking", thinking: "second thought" },
    { kind: "tool-call", name: "Read", input: {} },
  ],
  trace: [],
});

/** The servers under test: each remembers what it said, and one speaks for a provider with rules of its own. */
const servers = { anthropic: createRig({ model: thinks }), bedrock: createRig({ model: thinks, profile: "bedrock" }) };

/** A conversation that the server has answered, on a model that binds thinking to its past. */
const answered: readonly WireMessage[][] = Array.from({ length: 8 }, (_, n) => {
  const messages: WireMessage[] = [user(`go ${n}`)];
  for (let round = 0; round <= n % 3; round++) {
    const { content } = messageOf(servers.anthropic.send({ model: "claude-opus-5-5", tools, messages: [...messages] }));
    const blocks = content.map(({ caller: _, ...block }) => block);
    messages.push(assistant(blocks), user([result(blocks.at(-1)?.id as string)] as WireBlock[]));
  }
  return messages;
});

const word = fc.constantFrom("alpha", "beta", "漢字", "x = 1;", "🙂", '{"a":1}');
const round = fc.record({ calls: fc.integer({ min: 0, max: 3 }), said: word, extra: fc.boolean() });

/** A valid request: a tool loop of up to six rounds in all the forms that are allowed; some go on from what the server has said. */
const valid: fc.Arbitrary<Draft> = fc
  .record({
    model: fc.constantFrom("claude-opus-4-6", "claude-opus-5-5", "claude-haiku-4-5", "claude-opus-5"),
    max_tokens: fc.integer({ min: 1, max: 8_000 }),
    rounds: fc.array(round, { maxLength: 6 }),
    system: fc.option(
      fc.oneof(
        word,
        word.map((said) => [text(said)]),
      ),
      { nil: undefined },
    ),
    stream: fc.option(fc.boolean(), { nil: undefined }),
    asString: fc.boolean(),
    from: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.nat(answered.length - 1) },
    ),
  })
  .map(({ model, max_tokens, rounds, system, stream, asString, from }) => {
    const messages: WireMessage[] =
      from === undefined ? [user(asString ? "go" : [text("go")])] : [...(answered[from] ?? [])];
    for (const [n, { calls, said, extra }] of rounds.entries()) {
      const ids = Array.from({ length: calls }, (_, i) => `id_${n}-${i}`);
      messages.push(assistant([text(said), ...ids.map((id) => call(id))]));
      messages.push(
        user([...ids.map((id) => result(id, said)), ...(extra || calls === 0 ? [text(said)] : [])] as WireBlock[]),
      );
    }
    return {
      model: from === undefined ? model : "claude-opus-5-5",
      max_tokens,
      messages,
      ...(from === undefined ? {} : { tools }),
      ...(system === undefined || from !== undefined ? {} : { system }),
      ...(stream === undefined ? {} : { stream }),
    };
  });

/** One violation of one rule, and how its refusal begins or what it holds. Gives undefined where the draft has no place for it. */
interface Plant {
  readonly says: RegExp;
  readonly status?: number;
  readonly into: (draft: Draft, at: number) => Draft | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly server?: keyof typeof servers;
}

const withMessages = (draft: Draft, messages: WireMessage[]): Draft => ({ ...draft, messages });
const more = (draft: Draft, ...messages: readonly unknown[]): Draft =>
  withMessages(draft, [...draft.messages, ...(messages as WireMessage[])]);
const blocksOf = (message: WireMessage | undefined): WireBlock[] =>
  Array.isArray(message?.content) ? [...message.content] : [];
const toolTurns = (draft: Draft): number[] =>
  draft.messages.flatMap((message, i) => (blocksOf(message).some((block) => block.type === "tool_use") ? [i] : []));
const thinkingTurns = (draft: Draft): number[] =>
  draft.messages.flatMap((message, i) => (blocksOf(message).some((block) => block.type === "thinking") ? [i] : []));
const pickOf = (list: readonly number[], at: number): number | undefined => list[at % Math.max(1, list.length)];
const turnWith = (draft: Draft, i: number, change: (blocks: WireBlock[]) => WireBlock[]): Draft =>
  withMessages(
    draft,
    draft.messages.with(i, { ...(draft.messages[i] as WireMessage), content: change(blocksOf(draft.messages[i])) }),
  );
const isOld = (draft: Draft): boolean => draft.model === "claude-opus-4-6" || draft.model === "claude-haiku-4-5";
/** Made once: it is not their making that is tried. */
const tenMegabytes = "A".repeat(10_485_761);
const bigImages = [1, 2, 3, 4, 5].map(() => image("A".repeat(7_500_000)));
const millionTokens = "漢".repeat(1_600_000);

const plants: Readonly<Record<string, Plant>> = {
  "unknown model": { says: /^model: nope$/, into: (draft) => ({ ...draft, model: "nope" }) },
  "negative output": { says: /^max_tokens: Input should be greater/, into: (draft) => ({ ...draft, max_tokens: -3 }) },
  "too much output": {
    says: /^max_tokens: 999999 > \d+, which is the maximum/,
    into: (draft) => ({ ...draft, max_tokens: 999_999 }),
  },
  "unknown field": { says: /^wat: Extra inputs/, into: (draft) => ({ ...draft, wat: 1 }) },
  "beta without header": {
    says: /^context_management: Extra inputs/,
    into: (draft) => ({ ...draft, context_management: { edits: [] } }),
  },
  "unknown block": {
    says: /Input tag 'wat' found/,
    into: (draft, at) => {
      const i = at % draft.messages.length;
      return withMessages(
        draft,
        draft.messages.with(i, { ...(draft.messages[i] as WireMessage), content: [{ type: "wat" }] }),
      );
    },
  },
  "no messages": { says: /^messages: at least one/, into: (draft) => withMessages(draft, []) },
  "unknown role": {
    says: /\.role: Input should be/,
    into: (draft) => withMessages(draft, [...draft.messages, { role: "tool" as never, content: "x" }]),
  },
  "system first": {
    says: /^messages\.0(\.role: Input should be 'user' or 'assistant'|: a `system` message must follow)/,
    into: (draft) => withMessages(draft, [{ role: "system", content: "x" }, ...draft.messages]),
  },
  "empty text": {
    says: /must be non-empty/,
    into: (draft) => withMessages(draft, [...draft.messages, user([text("")])]),
  },
  "blank text": {
    says: /non-whitespace/,
    into: (draft) => withMessages(draft, [...draft.messages, user([text(" \n")])]),
  },
  "empty content": {
    says: /all messages must have non-empty content/,
    into: (draft) => withMessages(draft, [...draft.messages, user([])]),
  },
  prefill: {
    says: /prefill|trailing whitespace/,
    into: (draft) => withMessages(draft, [...draft.messages, assistant("so ")]),
  },
  "lost result": {
    says: /ids were found without `tool_result` blocks immediately after/,
    into: (draft, at) => {
      const i = pickOf(toolTurns(draft), at);
      return i === undefined ? undefined : withMessages(draft, draft.messages.with(i + 1, user("what?")));
    },
  },
  "stray result": {
    says: /unexpected `tool_use_id`|can only be in `user`/,
    into: (draft) => withMessages(draft, [...draft.messages, user([result("stray")] as WireBlock[])]),
  },
  "double result": {
    says: /each tool_use must have a single result/,
    into: (draft, at) => {
      const i = pickOf(toolTurns(draft), at);
      if (i === undefined) return undefined;
      const [first, ...rest] = blocksOf(draft.messages[i + 1]);
      return withMessages(draft, draft.messages.with(i + 1, user([first, first, ...rest] as WireBlock[])));
    },
  },
  "repeated id": {
    says: /ids must be unique/,
    into: (draft) => {
      const first = toolTurns(draft)[0];
      if (first === undefined) return undefined;
      const id = blocksOf(draft.messages[first]).find((block) => block.type === "tool_use")?.id as string;
      return withMessages(draft, [...draft.messages, assistant([call(id)]), user([result(id)] as WireBlock[])]);
    },
  },
  "bad id": {
    says: /String should match pattern/,
    into: (draft) =>
      withMessages(draft, [...draft.messages, assistant([call("a b")]), user([result("a b")] as WireBlock[])]),
  },
  "forged thinking": {
    says: /Invalid `signature`/,
    into: (draft) =>
      withMessages(draft, [
        ...draft.messages,
        assistant([{ type: "thinking", thinking: "h", signature: "s" }, text("x")]),
        user("y"),
      ]),
  },
  "thinking type": {
    says: /not supported/,
    into: (draft) => ({
      ...draft,
      max_tokens: 8_000,
      thinking: draft.model.startsWith("claude-haiku") ? { type: "adaptive" } : { type: "between_tools" },
    }),
  },
  breakpoints: {
    says: /^A maximum of 4 blocks/,
    into: (draft) =>
      withMessages(draft, [
        ...draft.messages,
        user([1, 2, 3, 4, 5].map((n) => text(`${n}`, { cache_control: { type: "ephemeral" } }))),
      ]),
  },
  "ttl order": {
    says: /must not come after/,
    into: (draft) =>
      withMessages(draft, [
        ...draft.messages,
        user([
          text("a", { cache_control: { type: "ephemeral" } }),
          text("b", { cache_control: { type: "ephemeral", ttl: "1h" } }),
        ]),
      ]),
  },
  "huge image": {
    says: /max allowed size: 8000/,
    into: (draft) => {
      const bytes = Buffer.alloc(33);
      bytes.write("\x89PNG", "latin1");
      bytes.writeUInt32BE(9_000, 16);
      bytes.writeUInt32BE(10, 20);
      const source = { type: "base64", media_type: "image/png", data: bytes.toString("base64") };
      return withMessages(draft, [...draft.messages, user([{ type: "image", source }])]);
    },
  },
  "no model": { says: /^model: Field required$/, into: (draft) => ({ ...draft, model: undefined as never }) },
  "no output": {
    says: /^max_tokens: Field required$/,
    into: (draft) => ({ ...draft, max_tokens: undefined as never }),
  },
  "warming with a stream": {
    says: /^max_tokens: 0 is not supported with `stream`$/,
    into: (draft) => ({ ...draft, max_tokens: 0, stream: true }),
  },
  "sampling of new models": {
    says: /^`(temperature|top_p|top_k)` is deprecated for this model\.$/,
    into: (draft, at) =>
      isOld(draft) ? undefined : { ...draft, [["temperature", "top_p", "top_k"][at % 3] as string]: 0 },
  },
  "sampling of the new version": {
    says: /^temperature: Extra inputs|^`temperature` is deprecated/,
    headers: { "anthropic-version": "2026-10-21" },
    into: (draft) => ({ ...draft, temperature: 1 }),
  },
  "unknown version": {
    says: /is not a valid version$/,
    headers: { "anthropic-version": "1999-01-01" },
    into: (draft) => draft,
  },
  "wrong type": { says: /^stream: Input should be a valid boolean$/, into: (draft) => ({ ...draft, stream: "yes" }) },
  "unknown member of a block": {
    says: /text\.wat: Extra inputs are not permitted$/,
    into: (draft) => more(draft, user([text("x", { wat: 1 })])),
  },
  thread: { says: /^thread: Extra inputs/, into: (draft) => ({ ...draft, thread: {} }) },
  "budget too small": {
    says: /budget_tokens: Input should be greater than or equal to 1024$/,
    into: (draft) => (isOld(draft) ? { ...draft, thinking: { type: "enabled", budget_tokens: 1_023 } } : undefined),
  },
  "budget above the output": {
    says: /^`max_tokens` must be greater than `thinking\.budget_tokens`/,
    into: (draft) =>
      isOld(draft)
        ? { ...draft, thinking: { type: "enabled", budget_tokens: Math.max(1_024, draft.max_tokens) } }
        : undefined,
  },
  "thinking cannot be turned off": {
    says: /^"thinking\.type\.disabled" is not supported/,
    into: (draft) => (draft.model === "claude-opus-5-5" ? { ...draft, thinking: { type: "disabled" } } : undefined),
  },
  "thinking must begin an open loop": {
    says: /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    into: (draft) =>
      isOld(draft)
        ? {
            ...more(draft, assistant([call("open")]), user([result("open")] as WireBlock[])),
            max_tokens: 4_000,
            thinking: { type: "enabled", budget_tokens: 2_000 },
          }
        : undefined,
  },
  "thinking off, thinking last": {
    says: /When thinking is disabled, an `assistant` message in the final position/,
    into: (draft) =>
      draft.model === "claude-haiku-4-5"
        ? more(draft, assistant([{ type: "thinking", thinking: "h", signature: "s" }]))
        : undefined,
  },
  "unsigned thinking": {
    says: /thinking\.signature: Field required$/,
    into: (draft) => more(draft, assistant([{ type: "thinking", thinking: "h" }, text("x")]), user("y")),
  },
  "edited thinking": {
    says: /cannot be modified|Invalid `signature` in `thinking` block$/,
    into: (draft, at) => {
      const i = pickOf(thinkingTurns(draft), at);
      return i === undefined
        ? undefined
        : turnWith(draft, i, ([first, ...rest]) => [{ ...first, thinking: "other" } as WireBlock, ...rest]);
    },
  },
  "rebased thinking": {
    says: /The block is bound to a different conversation/,
    into: (draft) =>
      thinkingTurns(draft).length === 0
        ? undefined
        : withMessages(draft, [user("another beginning"), ...draft.messages.slice(1)]),
  },
  "half of the latest thinking": {
    says: /cannot be modified/,
    into: (draft) => {
      const i = thinkingTurns(draft).at(-1);
      const isLatest = i !== undefined && draft.messages.findLastIndex(({ role }) => role === "assistant") === i;
      // Not the first: what follows a gap is refused for that.
      return isLatest ? turnWith(draft, i, (blocks) => blocks.toSpliced(1, 1)) : undefined;
    },
  },
  "clear_thinking without thinking": {
    says: /^`clear_thinking_20251015` strategy requires/,
    headers: { "anthropic-beta": contextBeta },
    into: (draft) =>
      isOld(draft) ? { ...draft, context_management: { edits: [{ type: "clear_thinking_20251015" }] } } : undefined,
  },
  "edits out of order": {
    says: /must be the first of the edits$/,
    headers: { "anthropic-beta": contextBeta },
    into: (draft) =>
      draft.model === "claude-opus-5"
        ? {
            ...draft,
            thinking: { type: "adaptive" },
            context_management: { edits: [{ type: "clear_tool_uses_20250919" }, { type: "clear_thinking_20251015" }] },
          }
        : undefined,
  },
  "compaction trigger too low": {
    says: /trigger\.value: Input should be greater than or equal to 50000$/,
    headers: { "anthropic-beta": "compact-2026-01-12" },
    into: (draft) => ({
      ...draft,
      context_management: { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 9 } }] },
    }),
  },
  "forced tool": {
    says: /^tool_choice: type "tool" and "any" are not supported for this model\.$/,
    into: (draft) =>
      draft.model === "claude-opus-5-5" ? { ...draft, tools, tool_choice: { type: "any" } } : undefined,
  },
  "server tool without result": {
    says: /has no result block in the same message$/,
    into: (draft) =>
      more(draft, assistant([{ type: "server_tool_use", id: "s", name: "web_search", input: {} }]), user("x")),
  },
  "stray server result": {
    says: /Each must have its `server_tool_use` block before it/,
    into: (draft) =>
      more(draft, assistant([{ type: "web_search_tool_result", tool_use_id: "s", content: [] }]), user("x")),
  },
  "call by the user": {
    says: /blocks can only be in `assistant` messages$/,
    into: (draft) => more(draft, user([text("x"), call("mine")])),
  },
  "long id": {
    says: /String should have at most 64 characters$/,
    into: (draft) => more(draft, assistant([call("a".repeat(65))]), user([result("a".repeat(65))] as WireBlock[])),
  },
  "system in the middle of nothing": {
    says: /must be last or stand before an `assistant` turn$/,
    into: (draft) => (isOld(draft) ? undefined : more(draft, { role: "system", content: "s" }, user("x"))),
  },
  "assistant first": {
    says: /^messages: first message must use the "user" role$/,
    server: "bedrock",
    into: (draft) =>
      thinkingTurns(draft).length > 0 ? undefined : withMessages(draft, [assistant("hello"), ...draft.messages]),
  },
  "empty text with a breakpoint": {
    says: /cache_control cannot be set for empty text blocks$/,
    into: (draft) => more(draft, user([text("", breakpoint), text("x")])),
  },
  "unknown ttl": {
    says: /cache_control\.ttl: Input should be '5m' or '1h'$/,
    into: (draft) => more(draft, user([text("x", { cache_control: { type: "ephemeral", ttl: "2h" } })])),
  },
  "ttl of the whole differs": {
    says: /^cache_control: ttl '5m' differs from the ttl '1h' of the last block$/,
    into: (draft) => ({
      ...more(draft, user([text("x", { cache_control: { type: "ephemeral", ttl: "1h" } })])),
      ...breakpoint,
    }),
  },
  "heavy image": {
    says: /image exceeds 10 MB maximum: 10485761 bytes > 10485760 bytes$/,
    into: (draft) => more(draft, user([image(tenMegabytes) as never])),
  },
  "wide image among many": {
    says: /many-image requests: 2000 pixels$/,
    into: (draft) => more(draft, user([...Array(20).fill(image(png(9, 9))), image(png(2_001, 9))] as never)),
  },
  "too many pages": {
    says: /A maximum of (600|100) PDF pages may be provided\.$/,
    into: (draft) => more(draft, user([pdf(601) as never])),
  },
  "picture of an error": {
    says: /all content must be type "text" if "is_error" is true$/,
    into: (draft) =>
      more(
        draft,
        assistant([call("bad")]),
        user([{ ...result("bad", [image(png(9, 9))]), is_error: true }] as WireBlock[]),
      ),
  },
  "unknown edit of the cache": {
    says: /no `tool_result` block with id nobody stands before this block$/,
    into: (draft) =>
      isOld(draft) && draft.model !== "claude-haiku-4-5"
        ? more(draft, user([text("x"), { type: "cache_edits", edits: [{ type: "delete", tool_use_id: "nobody" }] }]))
        : undefined,
  },
  "too many tokens": {
    says: /^prompt is too long: \d+ tokens > \d+ maximum$/,
    into: (draft) => more(draft, user(millionTokens)),
  },
  "too many bytes": {
    says: /^Request exceeds the maximum size$/,
    status: 413,
    into: (draft) => more(draft, user(bigImages as never)),
  },
};

/** What no answer may be: a crash, a 500 that nobody ordered, the insides of the program. */
function check(rig: Rig, request: Call): { status: number; said: string } {
  const reply = rig.api.serve(request);
  expect([200, 400, 401, 404, 413]).toContain(reply.status);
  expect(JSON.stringify(reply.body)).not.toMatch(
    /\\n\s+at |TypeError|RangeError|undefined is not|Cannot read|src\/mock-api|node_modules/,
  );
  return { status: reply.status, said: refusalText(reply) ?? "" };
}

test("the rule whose violation was planted is the one that answers, and what is valid is accepted", () => {
  let accepted = 0;
  const planted = new Map(Object.keys(plants).map((name) => [name, 0]));
  const send = (draft: Draft, name: string | undefined, at: number): boolean => {
    const plant = name === undefined ? undefined : (plants[name] as Plant);
    const changed = plant?.into(draft, at);
    if (plant === undefined || changed === undefined) {
      expect(check(servers.anthropic, { ...callWith({}), body: draft })).toEqual({ status: 200, said: "" });
      accepted++;
      return false;
    }
    const { headers } = callWith({}, plant.headers);
    const { status, said } = check(servers[plant.server ?? "anthropic"], { ...callWith({}), headers, body: changed });
    expect(said).toMatch(plant.says);
    expect(status).toBe(plant.status ?? (name === "unknown model" ? 404 : 400));
    planted.set(name as string, (planted.get(name as string) ?? 0) + 1);
    return true;
  };
  // Each rule at least once, however few the requests.
  const drafts = fc.sample(valid, { numRuns: 60, seed: 1 });
  for (const name of planted.keys())
    expect([name, drafts.some((draft, at) => send(draft, name, at))]).toEqual([name, true]);
  fc.assert(
    fc.property(
      valid,
      fc.option(fc.constantFrom(...planted.keys()), { freq: 3, nil: undefined }),
      fc.nat(),
      (draft, name, at) => {
        send(draft, name, at);
      },
    ),
    { numRuns: runs },
  );
  const refused = [...planted.values()].reduce((sum, count) => sum + count, 0);
  if (tells) {
    for (const [name, count] of [...planted].sort(([, a], [, b]) => a - b))
      console.log(`${String(count).padStart(6)}  ${name}`);
    console.log(
      `${accepted + refused} requests: ${accepted} valid and accepted, ${refused} refused by the rule that was planted (${planted.size} rules)`,
    );
  }
  if (runs >= 1_000) expect(accepted / (accepted + refused)).toBeGreaterThan(0.2);
});

test("garbage is refused, and nothing breaks", () => {
  const rig = createRig();
  const body = fc.oneof(
    fc.anything(),
    fc.record({
      model: fc.constant("claude-opus-4-6"),
      max_tokens: fc.constant(10),
      messages: fc.oneof(fc.anything(), fc.array(fc.anything())),
    }),
    fc.record({
      model: fc.constant("claude-opus-4-6"),
      max_tokens: fc.constant(10),
      messages: fc.array(
        fc.record({
          role: fc.constantFrom("user", "assistant", "system"),
          content: fc.oneof(
            fc.string(),
            fc.array(fc.dictionary(fc.constantFrom("type", "text", "id", "source", "content", "input"), fc.anything())),
          ),
        }),
      ),
      tools: fc.anything(),
      system: fc.anything(),
      thinking: fc.anything(),
    }),
  );
  const asBody = body.map((value): Call => ({ ...callWith({}), body: value }));
  const parse = createBodyParser();
  const asText = fc
    .tuple(
      fc.constantFrom("POST", "GET", "PUT"),
      fc.oneof(fc.constant("/v1/messages"), fc.constant("/v1/messages/count_tokens"), fc.webPath()),
      fc.oneof(fc.string(), fc.json()),
      fc.dictionary(
        fc.constantFrom("x-api-key", "anthropic-version", "anthropic-beta", "x-longhaul-round"),
        fc.string(),
      ),
    )
    .map(([method, path, said, headers]) => callFrom(method, path, { "x-api-key": "k", ...headers }, said, parse));
  let refused = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 3, arbitrary: asBody }, { weight: 1, arbitrary: asText }), (request) => {
      if (check(rig, request).status !== 200) refused++;
    }),
    { numRuns: garbageRuns },
  );
  if (tells)
    console.log(
      `${garbageRuns} of garbage: ${refused} refused, ${garbageRuns - refused} happened to be valid, nothing broke`,
    );
  if (garbageRuns >= 100) expect(refused / garbageRuns).toBeGreaterThan(0.97);
});
