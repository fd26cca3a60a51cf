import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  anAssistant,
  aResultMessage,
  aToolUse,
  aUser,
  inOrder,
  validTranscript,
} from "../../testing/index.ts";
import { estimateMessageTokens, roughEstimator } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { lastBoundaryIndex } from "../../transcript/index.ts";
import { adjustIndexToKeepInvariants } from "./invariant-index.ts";
import { calculateKeepIndex, unadjustedKeepIndex } from "./keep-index.ts";

const limits = { minTokens: 1_000, minTextBlockMessages: 3, maxTokens: 4_000 };

/** Talk of so many padded tokens a message. */
const talk = (...tokens: readonly number[]): readonly Message[] =>
  inOrder(tokens.map((each, i) => (i % 2 === 0 ? aUser : anAssistant)(`${i}${"x".repeat(each * 3 - 1)}`)));

const from = (messages: readonly Message[], lastSummarized: number) =>
  calculateKeepIndex(messages, lastSummarized, limits, roughEstimator);

test("SM3: what the notes do not cover is kept, and no more where it is large enough", () => {
  expect(from(talk(500, 500, 500, 500, 500), 1)).toBe(2);
  expect(from(talk(500, 500, 4_000), 1)).toBe(2);
});

test("SM3: too little is filled up from before, message by message, until both minimums are met", () => {
  expect(from(talk(500, 500, 500, 500), 2)).toBe(1);
  expect(from(talk(100, 100, 100, 100, 2_000), 3)).toBe(2);
});

test("SM3: the message that reaches the maximum is included, and stops the walk", () => {
  expect(from(talk(100, 3_900, 100), 1)).toBe(1);
});

test("SM3: exactly the minimum is enough, and an empty text is none", () => {
  expect(from(talk(100, 400, 300, 300), 3)).toBe(1);
  const silent = anAssistant([{ type: "text", text: "" }, aToolUse("t", "Read", { a: "x".repeat(6_000) })]);
  const messages = inOrder([aUser("First."), aUser("Second."), aUser("Third."), silent]);
  expect(unadjustedKeepIndex(messages, 3, limits, roughEstimator)).toBe(0);
});

test("SM3: a bare tool result is no text", () => {
  const messages = inOrder([
    aUser("First."),
    anAssistant("Second.", { id: "A" }),
    anAssistant([aToolUse("t")], { id: "B" }),
    aResultMessage("t", "x".repeat(9_000)),
    anAssistant("Third.", { id: "C" }),
  ]);
  expect(from(messages, 3)).toBe(0);
});

test("SM3: with everything covered the walk begins at the end", () => {
  expect(from(talk(500, 500, 500, 500), 3)).toBe(1);
});

test("SM3, M6: the walk stops at the boundary", () => {
  const messages = [...talk(500, 500), aBoundary({ uuid: "b" }), ...talk(10, 10)];
  expect(from(messages, 4)).toBe(3);
  expect(from(messages, -1)).toBe(3);
});

test("SM3: whichever way it stopped, the answer passes SM4", () => {
  const messages = inOrder([
    aUser("Go"),
    anAssistant([{ type: "text", text: "I look." }, aToolUse("t")]),
    aResultMessage("t", "x".repeat(20_000)),
  ]);
  expect(unadjustedKeepIndex(messages, 1, limits, roughEstimator)).toBe(2);
  expect(from(messages, 1)).toBe(1);
});

test("SM3: on every transcript the kept part is the shortest that is enough, or starts at the boundary, then SM4", () => {
  const small = { minTokens: 20, minTextBlockMessages: 2, maxTokens: 60 };
  const isEnough = (kept: readonly Message[]): boolean => {
    const tokens = estimateMessageTokens(kept);
    const texts = kept.filter(
      (message) =>
        (message.kind === "user" || message.kind === "assistant") &&
        message.content.some((block) => block.type === "text"),
    ).length;
    return tokens >= small.maxTokens || (tokens >= small.minTokens && texts >= small.minTextBlockMessages);
  };
  fc.assert(
    fc.property(validTranscript({ boundaries: true }), fc.nat(), (messages, seed) => {
      const floor = lastBoundaryIndex(messages) + 1;
      const covered = floor + (seed % (messages.length - floor + 1)) - 1;
      const index = unadjustedKeepIndex(messages, covered, small, roughEstimator);
      const candidates = Array.from({ length: covered + 2 - floor }, (_, i) => covered + 1 - i);
      expect(index).toBe(candidates.find((candidate) => isEnough(messages.slice(candidate))) ?? floor);
      expect(calculateKeepIndex(messages, covered, small, roughEstimator)).toBe(
        adjustIndexToKeepInvariants(messages, index),
      );
    }),
  );
});
