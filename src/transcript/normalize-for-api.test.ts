import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aBoundary,
  aNotice,
  anAssistant,
  anAttachment,
  aResultMessage,
  aThinking,
  aToolResult,
  aToolUse,
  aUser,
  disorderedTranscript,
  inOrder,
  validTranscript,
} from "../testing/index.ts";
import type { Message, WireMessage } from "./index.ts";
import {
  continueText,
  createWireTranscript,
  ensureToolResultPairing,
  findTranscriptProblems,
  normalizeForApi,
} from "./index.ts";

/** One word a block, one line a message: what a reader needs to see the order. */
function outline(messages: readonly WireMessage[]): readonly string[] {
  return messages.map(({ role, content }) => {
    if (typeof content === "string") return `${role}: ${content}`;
    const words = content.map((block) => block.text ?? block.id ?? block.tool_use_id ?? block.type);
    return `${role}: ${words.join(" ")}`;
  });
}

test("M4: system messages stay here, attachments are sent as the user's", () => {
  const transcript = [
    aBoundary(),
    aUser("hello"),
    aNotice("careful"),
    anAttachment("file"),
    anAssistant("hi"),
    aUser("so?"),
  ];
  expect(outline(normalizeForApi(transcript))).toEqual(["user: hello file", "assistant: hi", "user: so?"]);
});

test("M4: blank text is dropped, then messages left empty", () => {
  const transcript = [
    aUser([{ type: "text", text: " \n" }]),
    aUser("hello"),
    anAssistant([{ type: "text", text: "" }], { id: "gone" }),
    anAssistant([{ type: "text", text: "\t" }, aToolUse("t1")]),
    aUser([
      aToolResult("t1", [
        { type: "text", text: " " },
        { type: "text", text: "out" },
      ]),
    ]),
  ];
  const wire = normalizeForApi(transcript);
  expect(outline(wire)).toEqual(["user: hello", "assistant: t1", "user: t1"]);
  expect(wire[2]?.content).toEqual([aToolResult("t1", [{ type: "text", text: "out" }])]);
});

test("M4: parts of one response become one message at the place of the first, and the results between them follow it", () => {
  const id = "msg_x";
  const transcript = [
    aUser("go"),
    anAssistant([aThinking("hm")], { id }),
    anAssistant([aToolUse("t1")], { id }),
    aResultMessage("t1"),
    aUser("and hurry"),
    anAssistant([aToolUse("t2")], { id }),
    aResultMessage("t2"),
  ];
  expect(outline(normalizeForApi(transcript))).toEqual([
    "user: go",
    "assistant: thinking t1 t2",
    "user: t1 t2 and hurry",
  ]);
});

test("M4: a result that comes late stands in the message right after its response", () => {
  const transcript = [
    aUser("go"),
    anAssistant([aToolUse("t1")]),
    anAssistant("meanwhile"),
    aUser("ok"),
    aResultMessage("t1", "late"),
  ];
  expect(outline(normalizeForApi(transcript))).toEqual([
    "user: go",
    "assistant: t1",
    "user: t1",
    "assistant: meanwhile",
    "user: ok",
  ]);
});

test("M4: where nobody spoke, the same fixed user message stands, at the same place in every later request", () => {
  const first = [anAssistant("a"), anAssistant("b")];
  const sent = normalizeForApi(first);
  expect(outline(sent)).toEqual([
    `user: ${continueText}`,
    "assistant: a",
    `user: ${continueText}`,
    "assistant: b",
    `user: ${continueText}`,
  ]);
  expect(normalizeForApi([...first, anAssistant("c"), aUser("d")]).slice(0, sent.length)).toEqual(sent);
});

test("M4: a summary signed by the server comes back first of all", () => {
  const transcript = [anAssistant([{ type: "compaction", content: "so far", signature: "s" }]), aUser("next")];
  const wire = normalizeForApi(transcript);
  expect(outline(wire)).toEqual(["assistant: compaction", "user: next"]);
  expect(findTranscriptProblems(wire)).toEqual([]);
});

test("MC3: a pin puts its block at the end of the message that holds the pinned one, in every request", () => {
  const transcript = inOrder<Message>([
    aUser("go"),
    anAssistant([aToolUse("t1")]),
    aResultMessage("t1"),
    aUser("next"),
  ]);
  const pins = [
    { messageUuid: "m2", toolUseIds: ["t0"] },
    { messageUuid: "not there", toolUseIds: ["t9"] },
  ];
  const sent = normalizeForApi(transcript, { pins });
  expect(sent[2]?.content).toEqual([
    aToolResult("t1"),
    { type: "text", text: "next" },
    { type: "cache_edits", edits: [{ type: "delete", tool_use_id: "t0" }] },
  ]);
  expect(normalizeForApi([...transcript, anAssistant("done")], { pins }).slice(0, 3)).toEqual(sent);
});

test("M3: unknown blocks pass through untouched, thinking that was cut before its signature does not pass", () => {
  const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } };
  const transcript = [
    aUser("go"),
    anAssistant([
      { type: "thinking", thinking: "half" },
      { type: "opaque", wire: search },
    ]),
  ];
  const wire = normalizeForApi(transcript);
  expect(wire[1]?.content).toHaveLength(1);
  expect(wire[1]?.content[0]).toBe(search);
});

test("M4: roles alternate from the user's to the user's, and no block of a healthy transcript is lost or copied", () => {
  fc.assert(
    fc.property(validTranscript(), (transcript) => {
      const wire = normalizeForApi(transcript);
      wire.forEach(({ role }, i) => {
        expect(role).toBe(i % 2 === 0 ? "user" : "assistant");
      });
      expect(wire.at(-1)?.role).toBe("user");
      const sent = new Set<unknown>(wire.flatMap(({ content }) => content as readonly object[]));
      for (const message of transcript) {
        if (message.kind !== "user" && message.kind !== "assistant") continue;
        for (const block of message.content) expect(sent.has(block)).toBe(true);
      }
    }),
  );
});

test("M4, M5: kept message by message, the wire form is that of the plain function, and what did not change keeps its identity", () => {
  fc.assert(
    fc.property(fc.oneof(validTranscript(), disorderedTranscript()), (transcript) => {
      const kept = createWireTranscript();
      transcript.forEach((message, i) => {
        kept.append(message);
        const wire = normalizeForApi(transcript.slice(0, i + 1));
        expect(kept.messages()).toEqual(wire);
        expect(kept.paired()).toEqual(ensureToolResultPairing(wire));
      });
      const before = kept.messages().slice();
      kept.append(aUser("one more"));
      const after = kept.messages();
      for (let i = 0; i < before.length - 1; i++) expect(after[i]).toBe(before[i]);
    }),
  );
});

test("M4, M5: kept message by message, a call that becomes the first of its id makes a double of a later one", () => {
  const transcript = [
    aUser("go"),
    anAssistant("a", { id: "msg_a" }),
    anAssistant([aToolUse("t1")], { id: "msg_b" }),
    aResultMessage("t1"),
  ];
  const kept = createWireTranscript();
  for (const message of transcript) kept.append(message);
  expect(kept.paired().messages).toBe(kept.messages());
  const late = anAssistant([aToolUse("t1")], { id: "msg_a" });
  kept.append(late);
  expect(kept.paired()).toEqual(ensureToolResultPairing(normalizeForApi([...transcript, late])));
  expect(kept.paired().repairs).toMatchObject({ "duplicate-use": 1, "missing-result": 1 });
});

test("M5: kept message by message, pairs that become whole are whole again", () => {
  const kept = createWireTranscript();
  for (const message of [aUser("go"), anAssistant([aToolUse("t1"), aToolUse("t2")])]) kept.append(message);
  expect(kept.paired().repairs["missing-result"]).toBe(2);
  kept.append(aResultMessage("t2"));
  kept.append(aResultMessage("t1"));
  expect(kept.paired().messages).toBe(kept.messages());
});

test("M5: kept message by message, a pair that was whole is looked at again when a second result comes", () => {
  const kept = createWireTranscript();
  for (const message of [aUser("go"), anAssistant([aToolUse("t1")]), aResultMessage("t1")]) kept.append(message);
  expect(kept.paired().messages).toBe(kept.messages());
  kept.append(aResultMessage("t1", "again"));
  expect(kept.paired().repairs["duplicate-result"]).toBe(1);
});

test("M4, M5: whatever went wrong in a transcript, what is sent has no problem", () => {
  fc.assert(
    fc.property(disorderedTranscript(), (transcript) => {
      const wire = normalizeForApi(transcript);
      fc.pre(wire.length > 0);
      expect(findTranscriptProblems(ensureToolResultPairing(wire).messages)).toEqual([]);
    }),
    { numRuns: Number(process.env.LONGHAUL_CASES ?? 1500) },
  );
});
