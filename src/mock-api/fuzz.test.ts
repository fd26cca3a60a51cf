import fc from "fast-check";
import { expect, test } from "vitest";
import type { WireBlock, WireMessage } from "../transcript/index.ts";
import type { MockApi } from "./index.ts";
import { malformedJson } from "./index.ts";
import { assistant, call, callWith, createRig, refusalText, result, text, user } from "./test-rig.ts";

/** Requests a run of the test; LONGHAUL_FUZZ=100000 for the long one. */
const runs = Number(process.env.LONGHAUL_FUZZ ?? 3_000);

interface Draft {
  model: string;
  max_tokens: number;
  messages: WireMessage[];
  [field: string]: unknown;
}

const word = fc.constantFrom("alpha", "beta", "漢字", "x = 1;", "🙂", '{"a":1}');
const round = fc.record({ calls: fc.integer({ min: 0, max: 3 }), said: word, extra: fc.boolean() });

/** A valid request: a tool loop of up to six rounds in all the forms that are allowed. */
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
  })
  .map(({ model, max_tokens, rounds, system, stream, asString }) => {
    const messages: WireMessage[] = [user(asString ? "go" : [text("go")])];
    for (const [n, { calls, said, extra }] of rounds.entries()) {
      const ids = Array.from({ length: calls }, (_, i) => `id_${n}-${i}`);
      messages.push(assistant([text(said), ...ids.map((id) => call(id))]));
      messages.push(
        user([...ids.map((id) => result(id, said)), ...(extra || calls === 0 ? [text(said)] : [])] as WireBlock[]),
      );
    }
    return {
      model,
      max_tokens,
      messages,
      ...(system === undefined ? {} : { system }),
      ...(stream === undefined ? {} : { stream }),
    };
  });

/** One violation of one rule, and how its refusal begins or what it holds. Gives undefined where the draft has no place for it. */
interface Plant {
  readonly says: RegExp;
  readonly into: (draft: Draft, at: number) => Draft | undefined;
}

const withMessages = (draft: Draft, messages: WireMessage[]): Draft => ({ ...draft, messages });
const blocksOf = (message: WireMessage | undefined): WireBlock[] =>
  Array.isArray(message?.content) ? [...message.content] : [];
const toolTurns = (draft: Draft): number[] =>
  draft.messages.flatMap((message, i) => (blocksOf(message).some((block) => block.type === "tool_use") ? [i] : []));
const pickOf = (list: readonly number[], at: number): number | undefined => list[at % Math.max(1, list.length)];

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
};

function check(api: MockApi, body: unknown): { status: number; said: string } {
  const reply = api.serve({ ...callWith({}), body });
  const said = refusalText(reply) ?? "";
  expect([200, 400, 404, 413]).toContain(reply.status);
  expect(said).not.toMatch(/\n\s+at |TypeError|undefined is not|Cannot read/);
  return { status: reply.status, said };
}

test("the rule whose violation was planted is the one that answers, and what is valid is accepted", () => {
  const rig = createRig();
  let accepted = 0;
  let refused = 0;
  const met = new Set<string>();
  fc.assert(
    fc.property(
      valid,
      fc.option(fc.constantFrom(...Object.keys(plants)), { freq: 3, nil: undefined }),
      fc.nat(),
      (draft, name, at) => {
        const plant = name === undefined ? undefined : (plants[name] as Plant);
        const planted = plant?.into(draft, at);
        const { status, said } = check(rig.api, planted ?? draft);
        if (plant === undefined || planted === undefined) {
          expect([status, said]).toEqual([200, ""]);
          accepted++;
        } else {
          expect(said).toMatch(plant.says);
          met.add(name ?? "");
          refused++;
        }
      },
    ),
    { numRuns: runs },
  );
  expect(accepted / (accepted + refused)).toBeGreaterThan(0.2);
  expect([...met].sort()).toEqual(Object.keys(plants).sort());
});

test("garbage is refused, and nothing breaks", () => {
  const rig = createRig();
  const garbage = fc.oneof(
    fc.anything(),
    fc.constant(malformedJson),
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
  let refused = 0;
  fc.assert(
    fc.property(garbage, (body) => {
      if (check(rig.api, body).status !== 200) refused++;
    }),
    { numRuns: runs },
  );
  expect(refused / runs).toBeGreaterThan(0.98);
});
