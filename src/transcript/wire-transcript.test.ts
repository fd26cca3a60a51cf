import { expect, test } from "vitest";
import { anAssistant, aResultMessage, aThinking, aToolResult, aToolUse, aUser, inOrder } from "../testing/index.ts";
import type { Block, Message, WireMessage } from "./index.ts";
import { continueText, createWireTranscript, ensureToolResultPairing, normalizeForApi } from "./index.ts";

/** The message, and a list of the uuids of those whose blocks somebody has looked at. */
function watched(message: Message, looks: string[]): Message {
  if (!("content" in message)) return message;
  const watch = (block: Block): Block =>
    new Proxy(block, {
      get: (target, key) => {
        looks.push(message.uuid);
        return Reflect.get(target, key);
      },
    });
  return { ...message, content: message.content.map(watch) } as Message;
}

const talk: Block = { type: "text", text: "so" };

const go = aUser("go");
const twoCalls = anAssistant([aToolUse("t1"), aToolUse("t2")]);

test.each<[string, readonly Message[]]>([
  ["a healthy session", [go, anAssistant([aThinking(), aToolUse("t1")]), aResultMessage("t1"), aUser("on")]],
  ["an answer in words", [go, anAssistant([aThinking(), talk]), aUser("on")]],
  ["calls that are answered later", [go, twoCalls, aUser("wait"), aResultMessage("t2"), aResultMessage("t1")]],
  ["an opening by the model", [anAssistant("hello"), go]],
])("M5: kept message by message, pairs that are whole are not looked at again: %s", (_, session) => {
  const looks: string[] = [];
  const kept = createWireTranscript();
  for (const message of inOrder(session)) {
    kept.append(watched(message, looks));
    kept.paired();
  }
  looks.length = 0;
  expect(kept.paired().messages).toBe(kept.messages());
  // The opening is: it may hold what only a response may.
  const opening = session[0]?.kind === "user" ? "m0" : "";
  expect(looks.filter((uuid) => uuid !== opening)).toEqual([]);
});

test.each<[string, readonly Message[]]>([
  [
    "one id in two responses",
    [
      aUser("go"),
      anAssistant([aToolUse("a")]),
      aResultMessage("a"),
      anAssistant([talk, aToolUse("a")], { id: "later" }),
      aResultMessage("a"),
    ],
  ],
  ["one id twice in a response", [aUser("go"), anAssistant([aToolUse("a"), aToolUse("a")]), aResultMessage("a")]],
  ["an id that the API refuses", [aUser("go"), anAssistant([aToolUse("a b")]), aResultMessage("a b")]],
  ["thinking and nothing else", [aUser("go"), anAssistant([aThinking()]), aUser("on")]],
  ["a result in the model's mouth", [aUser("go"), anAssistant([talk, aToolResult("a")]), aUser("on")]],
  ["a call in the user's mouth", [aUser("go"), anAssistant("hi"), aUser([talk, aToolUse("a")])]],
  ["thinking in the user's mouth", [aUser("go"), anAssistant("hi"), aUser([aThinking(), talk])]],
  ["a result that opens the session", [aResultMessage("a"), anAssistant("hi")]],
  ["a call that opens the session", [aUser([talk, aToolUse("a")]), anAssistant("hi")]],
  ["a result for nobody", [aUser("go"), anAssistant("hi"), aResultMessage("a")]],
  [
    "two results for one call",
    [aUser("go"), anAssistant([aToolUse("a")]), aResultMessage("a"), aResultMessage("a", "b")],
  ],
  ["a call without a result", [aUser("go"), anAssistant([aToolUse("a"), aToolUse("b")]), aResultMessage("b")]],
])("M5: kept message by message, what is broken is repaired as in the whole: %s", (_, session) => {
  const kept = createWireTranscript();
  const messages = inOrder(session);
  for (const message of messages) {
    kept.append(message);
    kept.paired();
  }
  const { repairs } = kept.paired();
  expect(kept.paired()).toEqual(ensureToolResultPairing(normalizeForApi(messages)));
  expect(Object.values(repairs).reduce((sum, count) => sum + count)).toBeGreaterThan(0);
});

test("M4: where the server's own summary comes first, nothing is put before it, however the session grows", () => {
  const session = inOrder<Message>([
    anAssistant([{ type: "compaction", content: "so far", signature: "s" }], { id: "A" }),
    aUser("on"),
    anAssistant("more", { id: "B" }),
    aUser("and on"),
    anAssistant("done", { id: "C" }),
  ]);
  const kept = createWireTranscript();
  session.forEach((message, i) => {
    kept.append(message);
    expect(kept.messages()).toEqual(normalizeForApi(session.slice(0, i + 1)));
  });
  expect(kept.messages().map(({ role }) => role)).toEqual([
    "assistant",
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
});

test("M4: a message that was sent stays as it was sent when its response goes on", () => {
  const kept = createWireTranscript();
  kept.append(aUser("go"));
  kept.append(anAssistant("first", { id: "A" }));
  const sent = kept.messages()[1] as WireMessage;
  kept.append(anAssistant("second", { id: "A" }));
  expect(kept.messages()[1]?.content).toHaveLength(2);
  expect(sent.content).toHaveLength(1);
});

test("M4: where nobody spoke stands a text", () => {
  expect(normalizeForApi([anAssistant("hi")])[0]).toEqual({
    role: "user",
    content: [{ type: "text", text: continueText }],
  });
});

test("MC3: a pin goes where its message begins, and nowhere where its message is not", () => {
  const session = inOrder<Message>([
    aUser("go"),
    anAssistant([aToolUse("t1")], { id: "A" }),
    anAssistant("meanwhile", { id: "B" }),
    aUser([aToolResult("t1"), talk]),
  ]);
  const plain = normalizeForApi(session);
  expect(normalizeForApi(session, { pins: [{ messageUuid: "gone", toolUseIds: ["t0"] }] })).toEqual(plain);
  const pinned = normalizeForApi(session, { pins: [{ messageUuid: "m3", toolUseIds: ["t0"] }] });
  const changed = pinned.flatMap((message, i) => (message.content.length === plain[i]?.content.length ? [] : [i]));
  expect(changed).toEqual([2]);
});

test("M1: a message of a kind that nobody has heard of is an error, not left out", () => {
  expect(() => createWireTranscript().append({ kind: "unheard-of" } as never)).toThrow(
    new TypeError('unexpected case: {"kind":"unheard-of"}'),
  );
});
