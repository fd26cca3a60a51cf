import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  anAssistant,
  aResultMessage,
  aThinking,
  aToolUse,
  aUsage,
  aUser,
  inOrder,
  validTranscript,
} from "../testing/index.ts";
import type { AssistantMessage, Message, Usage } from "../transcript/index.ts";
import {
  countTokens,
  estimateMessageTokens,
  exactCount,
  roughEstimator,
  roughTokenSum,
  tokenCountWithEstimation,
  usableUsage,
} from "./index.ts";
import { countFromResponse, keptUuids } from "./token-count.ts";

const options = { overheadTokens: 5000, window: 200_000 };
const usage = aUsage({
  input_tokens: 10,
  cache_creation_input_tokens: 200,
  cache_read_input_tokens: 30_000,
  output_tokens: 400,
});

function withUsage(figures: Usage | null, fields: Partial<AssistantMessage> = {}): AssistantMessage {
  return anAssistant("answer", { usage: figures, ...fields });
}

test("T4: the exact count is input, cache writes, cache reads and output; null caches are none", () => {
  expect(exactCount(usage)).toBe(30_610);
  expect(exactCount({ input_tokens: 7, output_tokens: 1, cache_read_input_tokens: null })).toBe(8);
});

test("T4: usage is unusable when synthetic, all zero, missing, not finite, negative, or above 1.5 windows", () => {
  const wrong = (figures: object): Usage => ({ ...usage, ...figures }) as Usage;
  expect(usableUsage(withUsage(usage), 200_000)).toBe(usage);
  expect(usableUsage(withUsage(usage), 20_000)).toBeNull();
  expect(usableUsage(withUsage(usage, { synthetic: true }), 200_000)).toBeNull();
  expect(usableUsage(withUsage(null), 200_000)).toBeNull();
  expect(usableUsage(withUsage(aUsage()), 200_000)).toBeNull();
  expect(usableUsage(withUsage(wrong({ input_tokens: Number.NaN })), 200_000)).toBeNull();
  expect(usableUsage(withUsage(wrong({ cache_read_input_tokens: Number.POSITIVE_INFINITY })), 200_000)).toBeNull();
  expect(usableUsage(withUsage(wrong({ output_tokens: null })), 200_000)).toBeNull();
  expect(usableUsage(withUsage(wrong({ output_tokens: -1 })), 200_000)).toBeNull();
  expect(usableUsage(withUsage({ output_tokens: 5 } as Usage), 200_000)).toBeNull();
  expect(usableUsage(withUsage(wrong({ cache_creation_input_tokens: -1 })), 200_000)).toBeNull();
  expect(usableUsage(withUsage(wrong({ cache_creation_input_tokens: 400_000 })), 200_000)).toBeNull();
  expect(usableUsage(withUsage(aUsage({ input_tokens: 300_000 })), 200_000)).not.toBeNull();
  expect(usableUsage(withUsage(wrong({ input_tokens: "10" })), 200_000)).toBeNull();
  expect(usableUsage(aUser("no response"), 200_000)).toBeNull();
});

test("T5: the exact count of the newest usable response, and the estimate of what came after", () => {
  const after = [aUser("x".repeat(300)), withUsage(aUsage(), { id: "unusable" })];
  const messages = inOrder<Message>([
    aUser("go"),
    withUsage(aUsage({ input_tokens: 9 })),
    aUser("on"),
    withUsage(usage, { id: "new" }),
    ...after,
  ]);
  expect(countTokens(messages, options)).toEqual({
    tokens: 30_610 + estimateMessageTokens(after),
    basis: { messageUuid: "m3", firstPartIndex: 3, exact: 30_610 },
    estimated: estimateMessageTokens(after),
  });
});

test("T5: without a usable usage all is estimated, and system prompt and tools are added", () => {
  const messages = [aUser("x".repeat(3000)), withUsage(aUsage())];
  expect(tokenCountWithEstimation(messages, options)).toBe(estimateMessageTokens(messages) + 5000);
  expect(tokenCountWithEstimation([], options)).toBe(5000);
});

test("T5: a response in parts is covered by its largest output; results that arrived between its parts are counted", () => {
  const id = "msg_split";
  const part = (output: number, stopReason: string | null = null): Partial<AssistantMessage> => ({
    id,
    stopReason,
    usage: { ...usage, output_tokens: output },
  });
  const early = aResultMessage("t1", "x".repeat(1000));
  const late = aResultMessage("t2", "y".repeat(500));
  const messages = inOrder<Message>([
    aUser("go"),
    anAssistant([aThinking("z".repeat(5000))], part(1)),
    anAssistant([aToolUse("t1")], part(900, "tool_use")),
    early,
    anAssistant([aToolUse("t2")], part(30)),
    late,
  ]);
  expect(countTokens(messages, options)).toEqual({
    tokens: 30_210 + 900 + estimateMessageTokens([early, late]),
    basis: { messageUuid: "m2", firstPartIndex: 1, exact: 31_110 },
    estimated: estimateMessageTokens([early, late]),
  });
});

test("T5: where no part has a stop_reason the output is a placeholder: the parts are estimated instead", () => {
  const id = "msg_cut";
  const parts = ["a", "b"].map((letter) =>
    anAssistant(letter.repeat(2000), { id, stopReason: null, usage: { ...usage, output_tokens: 1 } }),
  );
  const result = aResultMessage("t1", "x".repeat(100));
  const messages = inOrder<Message>([aUser("go"), ...parts, result]);
  expect(tokenCountWithEstimation(messages, options)).toBe(30_210 + estimateMessageTokens([...parts, result]));
});

test("T4: usage from before the last compaction is not believed, though its message was kept", () => {
  const messages = inOrder<Message>([
    aUser("old"),
    withUsage(usage),
    aBoundary({ keptUuids: ["m4"] }),
    aUser("so far", { isCompactSummary: true }),
    withUsage(usage, { id: "kept" }),
    aUser("next"),
  ]);
  expect(tokenCountWithEstimation(messages, options)).toBe(estimateMessageTokens(messages.slice(3)) + 5000);
  const answered = [...messages, withUsage(aUsage({ input_tokens: 700 }), { id: "fresh", uuid: "m6" })];
  expect(tokenCountWithEstimation(answered, options)).toBe(700);
});

test("T5: a response may stand first in the live part, as in a session that was cut there", () => {
  const messages = inOrder<Message>([withUsage(usage), aUser("x".repeat(300))]);
  expect(tokenCountWithEstimation(messages, options)).toBe(30_610 + 100);
});

test("T4: to count from a response without a usable figure is a mistake, and told as one", () => {
  const sums = { parts: [0, 1], partsSum: 0, sum: 0 };
  const count = () => countFromResponse([withUsage(null), withUsage(aUsage())], sums, 200_000, roughEstimator);
  expect(count).toThrow(new RangeError("no usable usage in 2 parts"));
});

test("T4: only a boundary keeps anything from before", () => {
  expect(keptUuids(undefined)).toEqual(new Set());
  expect(keptUuids(aUser("hello"))).toEqual(new Set());
  expect(keptUuids(aBoundary({ keptUuids: ["m4"] }))).toEqual(new Set(["m4"]));
});

test("T4: usage that a stated drop or a collapse made old is not believed", () => {
  const messages = inOrder<Message>([aUser("go"), withUsage(usage)]);
  expect(tokenCountWithEstimation(messages, { ...options, staleUuids: new Set(["m1"]) })).toBe(
    estimateMessageTokens(messages) + 5000,
  );
});

test("T5: the estimated share never shrinks when a message is added, but for a response that tells more", () => {
  fc.assert(
    fc.property(validTranscript({ boundaries: true }), fc.lorem(), (messages, text) => {
      const before = countTokens(messages, options);
      const more = aUser(text);
      const after = countTokens([...messages, more], options);
      expect(after.basis).toEqual(before.basis);
      expect(after.tokens - before.tokens).toBeGreaterThanOrEqual(Math.floor(roughTokenSum([more])));
    }),
  );
});
