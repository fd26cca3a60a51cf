import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  aNotice,
  anAssistant,
  aResultMessage,
  aThinking,
  aToolUse,
  aUser,
  disorderedTranscript,
  inOrder,
  validTranscript,
} from "../../testing/index.ts";
import type { Message } from "../../transcript/index.ts";
import { lastBoundaryIndex, messagesAfterLastBoundary } from "../../transcript/index.ts";
import { adjustIndexToKeepInvariants, explainAdjustment } from "./invariant-index.ts";

/** SM4 read off its definition: whether a transcript may be kept from this index on. */
function mayKeepFrom(messages: readonly Message[], index: number): boolean {
  const floor = lastBoundaryIndex(messages) + 1;
  for (let i = index; i < messages.length; i++) {
    const message = messages[i];
    if (message?.kind === "user") {
      for (const block of message.content) {
        if (block.type !== "tool_result") continue;
        const call = callBefore(messages, floor, i, block.tool_use_id);
        if (call >= 0 && call < index) return false;
      }
    }
    if (message?.kind === "assistant") {
      for (let j = floor; j < index; j++) {
        const other = messages[j];
        if (other?.kind === "assistant" && other.id === message.id) return false;
      }
    }
  }
  return true;
}

function callBefore(messages: readonly Message[], floor: number, before: number, id: string): number {
  for (let i = before - 1; i >= floor; i--) {
    const message = messages[i];
    if (message?.kind !== "assistant") continue;
    if (message.content.some((block) => block.type === "tool_use" && block.id === id)) return i;
  }
  return -1;
}

/** The largest index that the definition allows, tried one by one. */
function bruteForce(messages: readonly Message[], start: number): number {
  const floor = lastBoundaryIndex(messages) + 1;
  for (let index = Math.max(floor, start); index > floor; index--) if (mayKeepFrom(messages, index)) return index;
  return floor;
}

const workedCase = inOrder([
  aUser("Fix it."),
  anAssistant([aThinking()], { id: "X" }),
  anAssistant([aToolUse("ORPHAN")], { id: "X" }),
  anAssistant([aToolUse("VALID")], { id: "X" }),
  aResultMessage("ORPHAN"),
  aResultMessage("VALID"),
  anAssistant("Done.", { id: "Y" }),
]);

test("SM4: the worked case goes back to the thinking block from wherever inside the response it starts", () => {
  for (const start of [2, 3, 4, 5]) expect(adjustIndexToKeepInvariants(workedCase, start)).toBe(1);
  expect(adjustIndexToKeepInvariants(workedCase, 1)).toBe(1);
  expect(adjustIndexToKeepInvariants(workedCase, 6)).toBe(6);
  expect(adjustIndexToKeepInvariants(workedCase, 7)).toBe(7);
});

test("SM4: pulling in one message brings in what that one needs, to a fixpoint", () => {
  const chained = inOrder([
    aUser("Go"),
    anAssistant([aToolUse("a")], { id: "A" }),
    anAssistant([aToolUse("b")], { id: "B" }),
    aResultMessage("a"),
    anAssistant([aToolUse("c")], { id: "B" }),
    aResultMessage("b"),
    aResultMessage("c"),
  ]);
  expect(adjustIndexToKeepInvariants(chained, 6)).toBe(1);
});

test("SM4: the very first live message can be what is needed; a text is needed by nobody", () => {
  const messages = inOrder([anAssistant([aToolUse("a")]), aResultMessage("a")]);
  expect(adjustIndexToKeepInvariants(messages, 1)).toBe(0);
  const words = inOrder([aUser("Go"), anAssistant("One.", { id: "A" }), aUser("Two."), aResultMessage("nobody")]);
  expect(adjustIndexToKeepInvariants(words, 2)).toBe(2);
});

test("SM4: a result belongs to the nearest call of its id; what is only shown to the person is walked over", () => {
  const twice = inOrder([
    aUser("Go"),
    anAssistant([aToolUse("a")], { id: "A" }),
    aResultMessage("a"),
    aNotice("Working."),
    anAssistant([aToolUse("a")], { id: "B" }),
    aResultMessage("a"),
  ]);
  expect(adjustIndexToKeepInvariants(twice, 5)).toBe(4);
  expect(adjustIndexToKeepInvariants([...twice.slice(0, 2), aNotice("Working."), aResultMessage("a")], 3)).toBe(1);
});

test("SM4: a result for nobody is no reason to go back", () => {
  const messages = inOrder([aUser("Go"), anAssistant("One."), aResultMessage("nobody"), anAssistant("Two.")]);
  for (let start = 0; start <= messages.length; start++)
    expect(adjustIndexToKeepInvariants(messages, start)).toBe(start);
});

test("SM4, M6: nothing reaches over a boundary, not even a pair", () => {
  const messages = inOrder([
    anAssistant([aToolUse("a")], { id: "A" }),
    aBoundary(),
    aResultMessage("a"),
    anAssistant("More.", { id: "A" }),
  ]);
  expect(adjustIndexToKeepInvariants(messages, 3)).toBe(3);
  expect(adjustIndexToKeepInvariants(messages, 0)).toBe(2);
});

test("SM4: it tells what was in the way", () => {
  expect(explainAdjustment(workedCase, 6)).toEqual({ index: 6, why: null });
  expect(explainAdjustment(workedCase, 4)).toEqual({ index: 1, why: "both" });
  const pair = inOrder([aUser("Go"), anAssistant([aToolUse("a")]), aResultMessage("a")]);
  expect(explainAdjustment(pair, 2)).toEqual({ index: 1, why: "tool-pair" });
  const parts = inOrder([aUser("Go"), anAssistant("One.", { id: "A" }), anAssistant("Two.", { id: "A" })]);
  expect(explainAdjustment(parts, 2)).toEqual({ index: 1, why: "message-id" });
});

test("SM4: on every transcript, whole or broken, the answer is the largest index that the definition allows", () => {
  const transcripts = fc.oneof(
    validTranscript({ boundaries: true, maxRounds: 5 }),
    disorderedTranscript({ maxRounds: 5 }),
  );
  fc.assert(
    fc.property(transcripts, fc.nat(), (messages, seed) => {
      const start = seed % (messages.length + 1);
      expect(adjustIndexToKeepInvariants(messages, start)).toBe(bruteForce(messages, start));
    }),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 1000) },
  );
});

test("SM4: adjusting an adjusted index changes nothing, and it never goes forward within the live part", () => {
  fc.assert(
    fc.property(disorderedTranscript(), fc.nat(), (messages, seed) => {
      const start = seed % (messages.length + 1);
      const once = adjustIndexToKeepInvariants(messages, start);
      expect(once).toBeLessThanOrEqual(start);
      expect(adjustIndexToKeepInvariants(messages, once)).toBe(once);
    }),
  );
});

test("SM4: the live part's beginning is always allowed, so there is an answer for an empty transcript too", () => {
  expect(adjustIndexToKeepInvariants([], 0)).toBe(0);
  expect(messagesAfterLastBoundary([aBoundary()])).toEqual([]);
  expect(adjustIndexToKeepInvariants([aBoundary()], 0)).toBe(1);
});
