import fc from "fast-check";
import { expect, test } from "vitest";
import {
  anAssistant,
  aResultMessage,
  aThinking,
  aToolResult,
  aToolUse,
  aUser,
  disorderedTranscript,
  validTranscript,
} from "../testing/index.ts";
import type { Block, WireMessage } from "./index.ts";
import {
  emptiedMessageText,
  ensureToolResultPairing,
  findTranscriptProblems,
  missingResultText,
  normalizeForApi,
} from "./index.ts";
import { toWireToolId } from "./tool-id.ts";
import { noRepairs } from "./tool-result-pairing.ts";

function user(...content: readonly Block[]): WireMessage {
  return { role: "user", content: content as readonly object[] as WireMessage["content"] };
}

function assistant(...content: readonly Block[]): WireMessage {
  return { role: "assistant", content: content as readonly object[] as WireMessage["content"] };
}

const text = (words: string): Block => ({ type: "text", text: words });
const failed = (id: string): Block => ({ ...aToolResult(id, missingResultText), is_error: true });

test("M5: valid messages come back as the same array", () => {
  fc.assert(
    fc.property(validTranscript(), (transcript) => {
      const wire = normalizeForApi(transcript);
      const { messages, repairs } = ensureToolResultPairing(wire);
      expect(messages).toBe(wire);
      expect(Object.values(repairs).every((count) => count === 0)).toBe(true);
    }),
  );
});

test("M5: valid is what the API takes: neighbours of one role count as one message", () => {
  const wire = [
    user(text("go")),
    assistant(aToolUse("t1")),
    assistant(aToolUse("t2")),
    user(aToolResult("t1")),
    user(aToolResult("t2"), text("x")),
  ];
  expect(ensureToolResultPairing(wire).messages).toBe(wire);
});

test("M5: a tool_use without a result in the next message gets a synthetic error result", () => {
  const wire = [user(text("go")), assistant(aToolUse("t1"), aToolUse("t2")), user(aToolResult("t2"), text("on"))];
  const { messages, repairs } = ensureToolResultPairing(wire);
  expect(messages[2]).toEqual(user(aToolResult("t2"), failed("t1"), text("on")));
  expect(repairs["missing-result"]).toBe(1);
  expect(messages[0]).toBe(wire[0]);
  expect(messages[1]).toBe(wire[1]);
});

test("M5: a call that nothing follows is answered in a message of its own", () => {
  const wire = [user(text("go")), assistant(aToolUse("t1"))];
  const { messages, repairs } = ensureToolResultPairing(wire);
  expect(messages).toEqual([...wire, user(failed("t1"))]);
  expect(repairs).toEqual({ ...noRepairs(), "missing-result": 1 });
});

test("M5: a result is looked for in the next message only", () => {
  const wire = [
    user(text("go")),
    assistant(aToolUse("t1")),
    user(text("wait")),
    assistant(text("yes")),
    user(aToolResult("t1")),
  ];
  const { messages, repairs } = ensureToolResultPairing(wire);
  expect(messages[2]).toEqual(user(failed("t1"), text("wait")));
  expect(messages[4]).toEqual(user(text(emptiedMessageText)));
  expect(repairs).toMatchObject({ "missing-result": 1, "orphan-result": 1 });
});

test("M5: a duplicate tool_use id is dropped with its result, a second result for one tool_use too", () => {
  const wire = [
    user(text("go")),
    assistant(aToolUse("t1")),
    user(aToolResult("t1", "first"), aToolResult("t1", "again")),
    assistant(text("more"), aToolUse("t1")),
    user(aToolResult("t1", "of the double"), text("on")),
  ];
  const { messages, repairs } = ensureToolResultPairing(wire);
  expect(messages.slice(2)).toEqual([user(aToolResult("t1", "first")), assistant(text("more")), user(text("on"))]);
  expect(repairs).toMatchObject({ "duplicate-use": 1, "duplicate-result": 1, "orphan-result": 1 });
});

test("M5: an assistant message left with thinking only is dropped, and its neighbours become one", () => {
  const wire = [
    user(text("go")),
    assistant(aToolUse("t1")),
    user(aToolResult("t1")),
    assistant(aThinking(), aToolUse("t1")),
    user(aToolResult("t1"), text("on")),
  ];
  const { messages, repairs } = ensureToolResultPairing(wire);
  expect(messages).toEqual([user(text("go")), assistant(aToolUse("t1")), user(aToolResult("t1"), text("on"))]);
  expect(repairs["thinking-only"]).toBe(1);
});

test("M5: an id that the API's pattern refuses is renamed on both sides, the same in every request, and apart from others", () => {
  const odd = ["a b", "a:b", "", "ä".repeat(30), "x".repeat(65)];
  const wire = [
    user(text("go")),
    assistant(...odd.map((id) => aToolUse(id))),
    user(...odd.map((id) => aToolResult(id)), { type: "cache_edits", edits: [{ type: "delete", tool_use_id: "a b" }] }),
  ];
  const { messages, repairs } = ensureToolResultPairing(wire);
  expect(findTranscriptProblems(messages.slice(0, 3)).filter(({ kind }) => kind !== "last-not-user")).toEqual([]);
  expect(repairs["bad-tool-id"]).toBe(odd.length);
  const ids = (messages as readonly { content: readonly { id?: string }[] }[]).at(1)?.content.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(odd.length);
  expect(messages[2]?.content.at(-1)).toEqual({
    type: "cache_edits",
    edits: [{ type: "delete", tool_use_id: ids[0] }],
  });
  expect(ensureToolResultPairing([...wire, assistant(text("ok")), user(text("on"))]).messages.slice(0, 3)).toEqual(
    messages,
  );
});

test("M5: repairing is done once: what it gives, it gives back as it is", () => {
  fc.assert(
    fc.property(disorderedTranscript(), (transcript) => {
      const { messages } = ensureToolResultPairing(normalizeForApi(transcript));
      expect(ensureToolResultPairing(messages).messages).toBe(messages);
    }),
  );
});

test("M5: an input is never changed", () => {
  fc.assert(
    fc.property(disorderedTranscript(), (transcript) => {
      const wire = normalizeForApi(transcript);
      const before = structuredClone(wire);
      ensureToolResultPairing(wire);
      expect(wire).toEqual(before);
    }),
  );
});

test("each problem is found where it is", () => {
  expect(findTranscriptProblems([])).toEqual([]);
  const wire: readonly WireMessage[] = [
    assistant(text("first")),
    user(text(" "), aToolResult("t0")),
    assistant(aToolUse("t1"), aToolUse("t1"), aToolUse("t 2")),
    user(aToolResult("t1"), aToolResult("t1")),
    { role: "assistant", content: [] },
    user(aToolUse("t3"), aThinking()),
    assistant({ type: "thinking", thinking: "cut" }),
    { role: "user", content: " " },
    assistant(aToolUse("t4")),
  ];
  expect(findTranscriptProblems(wire)).toStrictEqual([
    { kind: "first-not-user", index: 0 },
    { kind: "blank-text", index: 1, block: 0 },
    { kind: "result-not-first", index: 1, block: 1, toolUseId: "t0" },
    { kind: "orphan-result", index: 1, block: 1, toolUseId: "t0" },
    { kind: "duplicate-use", index: 2, block: 1, toolUseId: "t1" },
    { kind: "bad-tool-id", index: 2, block: 2, toolUseId: "t 2" },
    { kind: "duplicate-result", index: 3, block: 1, toolUseId: "t1" },
    { kind: "missing-result", index: 2, toolUseId: "t 2" },
    { kind: "empty-message", index: 4 },
    { kind: "misplaced-block", index: 5, block: 0 },
    { kind: "misplaced-block", index: 5, block: 1 },
    { kind: "unsigned-thinking", index: 6, block: 0 },
    { kind: "thinking-only", index: 6 },
    { kind: "blank-text", index: 7 },
    { kind: "missing-result", index: 8, toolUseId: "t4" },
    { kind: "last-not-user", index: 8 },
  ]);
});

test("a system message between a call and its result is found, since the API refuses it", () => {
  const wire: readonly WireMessage[] = [
    user(text("go")),
    assistant(aToolUse("t1")),
    { role: "system", content: "effort: low" },
    user(aToolResult("t1")),
  ];
  expect(findTranscriptProblems(wire).map(({ kind }) => kind)).toEqual(["missing-result", "orphan-result"]);
});

test("builders and the arbitrary agree with the checker: healthy transcripts have no problem", () => {
  const transcript = [aUser("go"), anAssistant([aThinking(), aToolUse("t1")]), aResultMessage("t1")];
  expect(findTranscriptProblems(normalizeForApi(transcript))).toEqual([]);
});

test("M5: a message that needs no repair is the same object, and so is every block that stays", () => {
  const edits: Block = { type: "cache_edits", edits: [{ type: "delete", tool_use_id: "t0" }] };
  const wire: readonly WireMessage[] = [
    user(text("go")),
    { role: "assistant", content: "As you say." },
    user(text("on"), aToolResult("t1")),
    assistant(aThinking(), aToolUse("t2"), text("look")),
    user(aToolResult("t2"), edits, text("so")),
    assistant(aToolUse("t3")),
  ];
  const { messages, repairs } = ensureToolResultPairing(wire);
  for (const i of [0, 1, 3, 4, 5]) expect(messages[i]).toBe(wire[i]);
  expect(messages[2]).toEqual(user(text("on")));
  expect(repairs).toEqual({ ...noRepairs(), "orphan-result": 1, "missing-result": 1 });
});

test("M5: neighbours of one role are repaired as one message, plain words among them", () => {
  const wire: readonly WireMessage[] = [
    { role: "user", content: "go" },
    { role: "user", content: "now" },
    assistant(text("yes"), aToolUse("t1")),
    assistant(aToolUse("t2")),
    user(aToolResult("t2")),
    user(text("and"), aToolResult("t1")),
  ];
  const { messages, repairs } = ensureToolResultPairing(wire);
  expect(messages).toEqual([
    user(text("go"), text("now")),
    assistant(text("yes"), aToolUse("t1"), aToolUse("t2")),
    user(aToolResult("t2"), aToolResult("t1"), text("and")),
  ]);
  expect(repairs).toEqual({ ...noRepairs(), "result-not-first": 1 });
});

test("M5: what stands in a message of the wrong role is dropped, and the rest of the message stays", () => {
  const wire = [
    user(text("go"), aToolUse("t1"), aThinking()),
    assistant(aToolResult("t2"), text("hi")),
    user(text("on")),
  ];
  const { messages, repairs } = ensureToolResultPairing(wire);
  expect(messages).toEqual([user(text("go")), assistant(text("hi")), user(text("on"))]);
  expect(repairs).toEqual({ ...noRepairs(), "misplaced-block": 3 });
});

test("M5: a system message stays where it is; the calls before it are answered before it", () => {
  const system: WireMessage = { role: "system", content: "effort: low" };
  const wire = [user(text("go")), assistant(aToolUse("t1")), system, user(aToolResult("t1"), text("on"))];
  const { messages, repairs } = ensureToolResultPairing(wire);
  expect(messages).toEqual([user(text("go")), assistant(aToolUse("t1")), user(failed("t1")), system, user(text("on"))]);
  expect(repairs).toEqual({ ...noRepairs(), "missing-result": 1, "orphan-result": 1 });
});

test("M5: one id that is refused is renamed everywhere, beside those that are fine", () => {
  const edits = (...ids: readonly string[]): Block => ({
    type: "cache_edits",
    edits: ids.map((id) => ({ type: "delete" as const, tool_use_id: id })),
  });
  const wire = [
    user(text("go")),
    assistant(aToolUse("fine"), aToolUse("a b")),
    user(aToolResult("fine"), aToolResult("a b"), edits("fine", "a b")),
  ];
  const { messages } = ensureToolResultPairing(wire);
  const renamed = toWireToolId("a b");
  expect(messages.slice(1)).toEqual([
    assistant(aToolUse("fine"), { ...aToolUse("a b"), id: renamed }),
    user(aToolResult("fine"), aToolResult(renamed), edits("fine", renamed)),
  ]);
  expect(messages.at(2)?.content.at(0)).toBe(wire.at(2)?.content.at(0));
});

test("M5: behind a dropped response an emptied message leaves the one before as it was", () => {
  const wire = [
    user(text("go")),
    assistant(aThinking()),
    user(aToolResult("t1")),
    assistant(text("hi")),
    user(text("on")),
  ];
  const { messages } = ensureToolResultPairing(wire);
  expect(messages).toEqual([wire[0], wire[3], wire[4]]);
  expect(messages[0]).toBe(wire[0]);
});

test("problems at the edges: empty words, words before a result, a compaction first, thinking last", () => {
  const kinds = (...wire: readonly WireMessage[]): readonly string[] =>
    findTranscriptProblems(wire).map(({ kind }) => kind);
  const go = user(text("go"));
  expect(kinds({ role: "user", content: "" })).toEqual(["empty-message"]);
  expect(kinds(go, assistant(aToolUse("t1")), { role: "user", content: "wait" }, user(aToolResult("t1")))).toEqual([
    "result-not-first",
  ]);
  expect(kinds(go, { role: "assistant", content: "hello" }, go)).toEqual([]);
  expect(kinds(go, assistant(aThinking()))).toEqual(["thinking-only", "last-not-user"]);
  expect(kinds(user(aThinking()))).toEqual(["misplaced-block"]);
  expect(kinds({ role: "assistant", content: [] }, go)).toEqual(["first-not-user", "empty-message"]);
  expect(kinds({ role: "assistant", content: "compaction" }, go)).toEqual(["first-not-user"]);
  expect(kinds(user({ type: "search_result", text: " " } as never))).toEqual([]);
});
