import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  anAssistant,
  aUsage,
  aUser,
  disorderedTranscript,
  inOrder,
  validTranscript,
} from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import { groupByApiRound, lastBoundaryIndex } from "../transcript/index.ts";
import type { Estimator, SessionLedger } from "./index.ts";
import { countTokens, createCalibratedEstimator, createSessionLedger, roughEstimator } from "./index.ts";

const window = 200_000;
const overheadTokens = 4321;

/** What the plain functions say of the same messages. */
function expectAsPlain(ledger: SessionLedger, messages: readonly Message[], estimator: Estimator): void {
  const live = lastBoundaryIndex(messages) + 1;
  const staleUuids = new Set(messages.filter((_, i) => i % 5 === 0).map(({ uuid }) => uuid));
  expect(ledger.messages()).toEqual(messages);
  expect(ledger.liveFrom()).toBe(live);
  expect(ledger.boundaries()).toEqual(messages.flatMap(({ kind }, i) => (kind === "boundary" ? [i] : [])));
  for (const from of [0, live, messages.length >> 1]) {
    const sum = messages.slice(from).reduce((total, message) => total + estimator.message(message), 0);
    expect(ledger.sum(from)).toBe(sum);
    expect(ledger.estimate(from)).toBe(estimator.total(sum));
  }
  expect(ledger.countTokens({ window, overheadTokens })).toEqual(
    countTokens(messages, { window, overheadTokens, estimator }),
  );
  expect(ledger.countTokens({ window, overheadTokens, staleUuids })).toEqual(
    countTokens(messages, { window, overheadTokens, estimator, staleUuids }),
  );
  const groups = groupByApiRound(messages);
  const starts = groups.map((_, n) => groups.slice(0, n).reduce((before, group) => before + group.length, 0));
  expect(ledger.roundStarts()).toEqual(starts);
  messages.forEach((_, i) => {
    expect(ledger.roundStartAt(i)).toBe(starts.findLast((start) => start <= i));
  });
  expectIds(ledger, messages, live);
}

function expectIds(ledger: SessionLedger, messages: readonly Message[], live: number): void {
  const blocksAt = (i: number): readonly { type: string; id?: unknown; tool_use_id?: unknown }[] => {
    const message = messages[i];
    return message !== undefined && "content" in message ? message.content : [];
  };
  const lastLive = (holds: (i: number) => boolean): number | undefined => {
    for (let i = messages.length - 1; i >= live; i--) if (holds(i)) return i;
    return undefined;
  };
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i];
    for (const { id, tool_use_id } of blocksAt(i)) {
      if (typeof id === "string") {
        expect(ledger.toolUseIndex(id)).toBe(lastLive((at) => blocksAt(at).some((block) => block.id === id)));
      }
      if (typeof tool_use_id === "string") {
        const holds = (at: number): boolean => blocksAt(at).some((block) => block.tool_use_id === tool_use_id);
        expect(ledger.toolResultIndex(tool_use_id)).toBe(lastLive(holds));
      }
    }
    if (message?.kind !== "assistant") continue;
    const isPart = (at: number): boolean => {
      const other = messages[at];
      return other?.kind === "assistant" && other.id === message.id;
    };
    const last = lastLive(isPart);
    const first = messages.findIndex((_, at) => at >= live && isPart(at));
    expect(ledger.span(message.id)).toEqual(last === undefined ? undefined : { first, last });
  }
}

type Step =
  | { readonly kind: "append"; readonly messages: readonly Message[]; readonly ask: boolean }
  | { readonly kind: "clear"; readonly at: number }
  | { readonly kind: "compact"; readonly keep: number }
  | { readonly kind: "drop"; readonly count: number }
  /** Any other history in its place; some of its messages may be the same. */
  | { readonly kind: "rewrite"; readonly messages: readonly Message[]; readonly reuse: number };

function step(): fc.Arbitrary<Step> {
  const some = fc.oneof(validTranscript({ maxRounds: 2 }), disorderedTranscript({ maxRounds: 2 }));
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("append"), messages: some, ask: fc.boolean() }) },
    fc.record({ kind: fc.constant("clear"), at: fc.nat(30) }),
    fc.record({ kind: fc.constant("compact"), keep: fc.nat(4) }),
    fc.record({ kind: fc.constant("drop"), count: fc.nat(4) }),
    fc.record({ kind: fc.constant("rewrite"), messages: some, reuse: fc.nat(6) }),
  );
}

test("B3: on any history of appends, clearings, compactions, drops and rewrites the ledger says what the plain functions say", () => {
  const estimators = [roughEstimator, createCalibratedEstimator()];
  fc.assert(
    fc.property(fc.array(step(), { maxLength: 4 }), fc.constantFrom(...estimators), (steps, estimator) => {
      const ledger = createSessionLedger(estimator);
      let messages: readonly Message[] = [];
      steps.forEach((one, nth) => {
        if (one.kind === "append") {
          const fresh = one.messages.map((message) => ({ ...message, uuid: `${nth}-${message.uuid}` }));
          for (const message of fresh) ledger.append(message);
          messages = [...messages, ...fresh];
          if (!one.ask) return;
        } else {
          messages = edited(messages, one, nth);
          ledger.rewrite(messages);
        }
        expectAsPlain(ledger, messages, estimator);
      });
      expectAsPlain(ledger, messages, estimator);
    }),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 1000) },
  );
});

function edited(messages: readonly Message[], one: Exclude<Step, { kind: "append" }>, nth: number): readonly Message[] {
  switch (one.kind) {
    case "clear":
      return messages.map((message, i) =>
        i === one.at && message.kind === "user" ? { ...message, content: [] } : message,
      );
    case "compact": {
      const kept = messages.slice(messages.length - Math.min(one.keep, messages.length));
      const boundary = aBoundary({ uuid: `boundary-${nth}`, keptUuids: kept.map(({ uuid }) => uuid) });
      return [
        ...messages.slice(0, 3),
        boundary,
        aUser("so far", { uuid: `summary-${nth}`, isCompactSummary: true }),
        ...kept,
      ];
    }
    case "drop":
      return messages.slice(one.count);
    case "rewrite": {
      const others = one.messages.map((message) => ({ ...message, uuid: `${nth}-${message.uuid}` }));
      return [...others, ...messages.slice(0, one.reuse)].reverse();
    }
  }
}

test("B3: parts of two responses may stand in turn: what came before the newer one ends where that begins", () => {
  const part = (id: string, text: string, input: number | null): Message =>
    anAssistant(text, { id, usage: input === null ? null : aUsage({ input_tokens: input, output_tokens: 20 }) });
  const messages = inOrder<Message>([
    aUser("go"),
    part("A", "first", 100),
    aUser("x".repeat(400)),
    part("B", "between", 300),
    part("A", "y".repeat(4_000), null),
    aUser("later"),
  ]);
  const ledger = createSessionLedger();
  for (const message of messages) ledger.append(message);
  expectAsPlain(ledger, messages, roughEstimator);
});

test("B3: a range that ends before it begins is empty", () => {
  const ledger = createSessionLedger();
  for (const text of ["12345678", "1234", "12345678"]) ledger.append(aUser(text));
  expect([ledger.sum(1, 3), ledger.sum(2, 2), ledger.sum(3, 1), ledger.sum(9)]).toEqual([3, 0, 0, 0]);
});

test("B3: another total over the same weights costs no look", () => {
  let looked = 0;
  const message: Estimator["message"] = (one) => {
    looked++;
    return roughEstimator.message(one);
  };
  const ledger = createSessionLedger({ ...roughEstimator, message });
  ledger.append(aUser("12345678"));
  ledger.sum();
  ledger.useEstimator({ ...roughEstimator, message, total: (sum) => 2 * sum });
  expect([ledger.estimate(), looked]).toEqual([4, 1]);
});

test("T7: asking again after one more message looks at the new message only", () => {
  let looked = 0;
  const counting: Estimator = {
    ...roughEstimator,
    message: (message) => {
      looked++;
      return roughEstimator.message(message);
    },
  };
  const ledger = createSessionLedger(counting);
  for (const message of inOrder(Array.from({ length: 500 }, (_, i) => aUser(`message ${i}`)))) ledger.append(message);
  ledger.estimate();
  looked = 0;
  ledger.append(aUser("one more"));
  ledger.estimate();
  ledger.countTokens({ window, overheadTokens });
  expect(looked).toBe(1);
  ledger.rewrite([...ledger.messages().slice(100), aUser("new after a drop")]);
  ledger.estimate();
  expect(looked).toBe(2);
});
