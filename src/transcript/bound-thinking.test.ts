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
  inOrder,
  validTranscript,
} from "../testing/index.ts";
import type { Message } from "./index.ts";
import {
  dropAllThinking,
  dropReboundThinking,
  dropThinkingOfOtherModels,
  ensureToolResultPairing,
  findTranscriptProblems,
  isInToolLoop,
  normalizeForApi,
} from "./index.ts";

const session = inOrder<Message>([
  aUser("go"),
  anAssistant([aThinking("one"), aToolUse("t1")]),
  aResultMessage("t1"),
  anAssistant([aThinking("two")], { id: "msg_two" }),
  anAssistant([aToolUse("t2")], { id: "msg_two" }),
  aResultMessage("t2"),
  anAssistant([{ type: "redacted_thinking", data: "xyz" }, aToolUse("t3")], { model: "claude-sonnet-4-6" }),
  aResultMessage("t3"),
]);

function thinkers(messages: readonly Message[]): readonly string[] {
  const thinks = (message: Message): boolean =>
    message.kind === "assistant" && message.content.some(({ type }) => type.endsWith("thinking"));
  return messages.filter(thinks).map(({ uuid }) => uuid);
}

test("M7: thinking made before the latest change goes, thinking made after it stays byte for byte", () => {
  const { messages, dropped } = dropReboundThinking(session, "m2");
  expect(dropped).toBe(1);
  expect(thinkers(messages)).toEqual(["m3", "m6"]);
  for (const i of [0, 2, 3, 4, 5, 6, 7]) expect(messages[i]).toBe(session[i]);
});

test("M7: nothing changed, nothing dropped, the same array", () => {
  expect(dropReboundThinking(session, null)).toEqual({ messages: session, dropped: 0 });
  expect(dropReboundThinking(session, "m0").messages).toBe(session);
});

test("M7: where the place of the change is gone, all thinking goes", () => {
  expect(thinkers(dropReboundThinking(session, "compacted away").messages)).toEqual([]);
});

test("M7: a response loses all of its thinking or none", () => {
  const late = inOrder<Message>([
    aUser("go"),
    anAssistant([aThinking("one"), aToolUse("t1")], { id: "msg_x" }),
    aResultMessage("t1"),
    anAssistant([aThinking("between")], { id: "msg_x" }),
    anAssistant([aToolUse("t2")], { id: "msg_x" }),
  ]);
  expect(thinkers(dropReboundThinking(late, "m2").messages)).toEqual([]);
});

test("RC4: thinking of other models goes, that of this one stays", () => {
  const { messages, dropped } = dropThinkingOfOtherModels(session, "claude-sonnet-4-6");
  expect(dropped).toBe(2);
  expect(thinkers(messages)).toEqual(["m6"]);
});

test("M7: a request with another system prompt sends no thinking, and is valid all the same", () => {
  fc.assert(
    fc.property(validTranscript(), (transcript) => {
      const { messages } = dropAllThinking(transcript);
      expect(thinkers(messages)).toEqual([]);
      expect(findTranscriptProblems(ensureToolResultPairing(normalizeForApi(messages)).messages)).toEqual([]);
    }),
  );
});

test("RC4: a tool loop is open until the model answers without a call", () => {
  expect(isInToolLoop(session)).toBe(true);
  expect(isInToolLoop(session.slice(0, 2))).toBe(true);
  expect(isInToolLoop([...session, anAssistant("done")])).toBe(false);
  expect(isInToolLoop(session.slice(0, 1))).toBe(false);
  expect(isInToolLoop([])).toBe(false);
});

test("M7: a response may stand first, and loses its thinking when the change falls behind its first part", () => {
  const first = inOrder<Message>([
    anAssistant([aThinking("one"), aToolUse("t1")], { id: "msg_x" }),
    aResultMessage("t1"),
    anAssistant([aThinking("two")], { id: "msg_x" }),
    anAssistant([aThinking("three")], { id: "msg_y" }),
  ]);
  expect(thinkers(dropReboundThinking(first, "m0").messages)).toEqual(["m3"]);
});

test("RC4: what is only shown to the person neither opens nor closes a tool loop", () => {
  expect(isInToolLoop([...session, aNotice("still running"), aBoundary({ uuid: "b" })])).toBe(true);
  expect(isInToolLoop([...session, anAssistant("done"), aNotice("done")])).toBe(false);
  expect(isInToolLoop([aNotice("nothing said yet")])).toBe(false);
});
