import fc from "fast-check";
import { expect, test } from "vitest";
import { aBoundary, aNotice, anAssistant, aResultMessage, aToolUse, aUser, validTranscript } from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import { applyEdits, EditRefused } from "./apply-edits.ts";
import { createConversation } from "./conversation.ts";
import type { Edit } from "./strategy/port.ts";

const look = anAssistant([aToolUse("t1", "Read", {})], { id: "m1", uuid: "a1" });
const seen = aResultMessage("t1", "content", { uuid: "r1" });
const ask = aUser("look at it", { uuid: "u1" });
const end = anAssistant("seen", { id: "m2", uuid: "a2" });
const talk: readonly Message[] = [ask, look, seen, end];
const summary = aUser("sum", { uuid: "s1", isCompactSummary: true });
const boundary = aBoundary({ uuid: "b1" });

test("ST3: nothing to do gives the same array", () => {
  for (const edits of [
    [],
    [{ kind: "append", messages: [] }],
    [{ kind: "clear", toolUseIds: ["none"], marker: "x" }],
  ]) {
    expect(applyEdits(talk, edits as readonly Edit[]).messages).toBe(talk);
  }
});

test("ST3: edits of one answer are applied together, over the view that was given", () => {
  const outcome = applyEdits(talk, [
    { kind: "append", messages: [aUser("new", { uuid: "n" })] },
    { kind: "clear", toolUseIds: ["t1"], marker: "gone" },
    { kind: "restate", uuid: "a2", content: [{ type: "text", text: "shorter" }] },
    { kind: "replace", from: 0, to: 1, messages: [boundary, summary] },
  ]);
  expect(outcome.messages.map(({ uuid }) => uuid)).toEqual(["b1", "s1", "a1", "r1", "a2", "n"]);
  expect(outcome.messages[2]).toBe(look);
  expect(outcome.messages[3]).toMatchObject({ content: [{ content: "gone" }] });
  expect(outcome.messages[4]).toMatchObject({ id: "m2", content: [{ text: "shorter" }] });
});

test("MC2: clearing what is cleared already changes nothing", () => {
  const once = applyEdits(talk, [{ kind: "clear", toolUseIds: ["t1"], marker: "gone" }]).messages;
  expect(applyEdits(once, [{ kind: "clear", toolUseIds: ["t1"], marker: "gone" }]).messages).toBe(once);
});

test.each<readonly [string, readonly Edit[]]>([
  ["a range out of bounds", [{ kind: "replace", from: 2, to: 5, messages: [] }]],
  ["a range backwards", [{ kind: "replace", from: 2, to: 1, messages: [] }]],
  ["half an index", [{ kind: "replace", from: 0.5, to: 1, messages: [] }]],
  ["an unknown message", [{ kind: "hide", uuids: ["nobody"] }]],
  ["a pin on an unknown message", [{ kind: "cache-edit", pin: { messageUuid: "nobody", toolUseIds: [] } }]],
  [
    "two edits of one message",
    [
      { kind: "hide", uuids: ["a2"] },
      { kind: "replace", from: 3, to: 4, messages: [] },
    ],
  ],
  [
    "clearing what is hidden",
    [
      { kind: "hide", uuids: ["r1"] },
      { kind: "clear", toolUseIds: ["t1"], marker: "x" },
    ],
  ],
])("ST3: %s is refused, and nothing has changed", (_name, edits) => {
  const conversation = createConversation({ log: talk });
  expect(() => conversation.edit(edits)).toThrow(EditRefused);
  expect(conversation.projection()).toEqual(talk);
  expect(conversation.log()).toEqual(talk);
});

test("ST3: a boundary cannot be restated", () => {
  expect(() => applyEdits([boundary], [{ kind: "restate", uuid: "b1", content: [] }])).toThrow(EditRefused);
});

test("ST3: the log keeps everything, what was hidden and what was put in, once each", () => {
  const conversation = createConversation();
  conversation.append(talk);
  conversation.edit([{ kind: "replace", from: 0, to: 3, messages: [boundary, summary, ask] }]);
  expect(conversation.log().map(({ uuid }) => uuid)).toEqual(["u1", "a1", "r1", "a2", "b1", "s1"]);
  expect(conversation.projection().map(({ uuid }) => uuid)).toEqual(["b1", "s1", "u1", "a2"]);
});

test("ST3: a pair or a response that an edit tears apart is reported", () => {
  const tear = (...edits: Edit[]) => createConversation({ log: talk }).edit(edits).splits;
  expect(tear({ kind: "hide", uuids: ["r1"] })).toEqual(["the result of t1 is gone, its call is not"]);
  expect(tear({ kind: "hide", uuids: ["a1"] })).toEqual(["the call t1 is gone, its result is not"]);
  expect(tear({ kind: "hide", uuids: ["a1", "r1"] })).toEqual([]);
  const thought = anAssistant("hm", { id: "m1", uuid: "a0" });
  const parts = createConversation({ log: [ask, thought, look, seen] });
  expect(parts.edit([{ kind: "hide", uuids: ["a0"] }]).splits).toEqual(["1 of 2 parts of response m1 are gone"]);
});

test("ST3: a call that was open before an edit is no fault of the edit", () => {
  const conversation = createConversation({ log: [ask, look] });
  expect(conversation.edit([{ kind: "hide", uuids: ["u1"] }]).splits).toEqual([]);
});

test("M7: only what rewrites the past moves the place of the latest change", () => {
  const conversation = createConversation({ log: talk });
  conversation.append([aUser("more", { uuid: "u2" })]);
  conversation.edit([{ kind: "append", messages: [aUser("still more", { uuid: "u3" })] }]);
  conversation.edit([{ kind: "cache-edit", pin: { messageUuid: "r1", toolUseIds: ["t1"] } }]);
  expect(conversation.latestChangeUuid()).toBeNull();
  conversation.edit([{ kind: "clear", toolUseIds: ["t1"], marker: "x" }]);
  expect(conversation.latestChangeUuid()).toBe("u3");
});

test("MC3: pins stay until the prefix is rewritten", () => {
  const conversation = createConversation({ log: talk });
  const pin = { messageUuid: "r1", toolUseIds: ["t1"] };
  conversation.edit([{ kind: "cache-edit", pin }]);
  conversation.append([aUser("more", { uuid: "u2" })]);
  expect(conversation.pins()).toEqual([pin]);
  conversation.edit([{ kind: "hide", uuids: ["u1"] }]);
  expect(conversation.pins()).toEqual([]);
});

test("a view that was given stays as it was", () => {
  const conversation = createConversation({ log: talk });
  const view = conversation.projection();
  conversation.append([aUser("more", { uuid: "u2" })]);
  conversation.edit([{ kind: "hide", uuids: ["u1"] }]);
  expect(view).toEqual(talk);
});

test("ST3: whatever is hidden, whole rounds never count as torn", () => {
  fc.assert(
    fc.property(validTranscript(), fc.nat(), (messages, at) => {
      const conversation = createConversation({ log: messages });
      const cut = messages.length === 0 ? 0 : at % (messages.length + 1);
      const before = messages.slice(0, cut);
      const { splits } = conversation.edit([{ kind: "replace", from: 0, to: cut, messages: [] }]);
      const ids = (part: readonly Message[]) => new Set(part.flatMap((m) => (m.kind === "assistant" ? [m.id] : [])));
      const calls = (part: readonly Message[], type: "tool_use" | "tool_result") =>
        part.flatMap((m) =>
          m.kind === "user" || m.kind === "assistant"
            ? m.content.flatMap((b) =>
                b.type === type ? [b.type === "tool_use" ? b.id : b.type === "tool_result" ? b.tool_use_id : ""] : [],
              )
            : [],
        );
      const after = messages.slice(cut);
      const tornResponse = [...ids(before)].some((id) => ids(after).has(id));
      const tornPair = calls(before, "tool_use").some((id) => calls(after, "tool_result").includes(id));
      if (!messages.some(({ kind }) => kind === "boundary")) expect(splits.length > 0).toBe(tornResponse || tornPair);
    }),
  );
});

test.each<readonly [string, Edit]>([
  ["replace [-1, 2) is not within 4 messages", { kind: "replace", from: -1, to: 2, messages: [] }],
  ["replace [2, 5) is not within 4 messages", { kind: "replace", from: 2, to: 5, messages: [] }],
  ["two edits meet at message 1", { kind: "hide", uuids: ["a1", "a1"] }],
  ["no message nobody in the projection", { kind: "hide", uuids: ["nobody"] }],
])("ST3: %s: the refusal says what does not fit", (why, edit) => {
  expect(() => applyEdits(talk, [edit])).toThrow(why);
  expect(() => applyEdits(talk, [edit])).toThrow(expect.objectContaining({ name: "EditRefused" }));
});

test("ST3: what has no content cannot be restated", () => {
  const notice = aNotice("Nearly full.", { uuid: "n" });
  const restate = (uuid: string) => () => applyEdits([notice, boundary], [{ kind: "restate", uuid, content: [] }]);
  expect(restate("n")).toThrow("message n is a notice, which has no content");
  expect(restate("b1")).toThrow("message b1 is a boundary, which has no content");
  expect(() => applyEdits(talk, [{ kind: "forget" } as never])).toThrow();
});

test("M7: what comes after all that stands rewrites nothing, however it is put there", () => {
  const added = [aUser("new", { uuid: "n" })];
  expect(applyEdits(talk, [{ kind: "replace", from: 4, to: 4, messages: added }])).toMatchObject({ rewrote: false });
  expect(applyEdits(talk, [{ kind: "append", messages: added }])).toMatchObject({ rewrote: false });
  expect(applyEdits(talk, [{ kind: "replace", from: 3, to: 3, messages: added }])).toMatchObject({ rewrote: true });
  expect(applyEdits(talk, [])).toMatchObject({ rewrote: false });
});

test("MC2: of a message only the named results are cleared", () => {
  const content = [
    { type: "tool_result", tool_use_id: "t1", content: "one" },
    { type: "tool_result", tool_use_id: "t2", content: "two" },
    { type: "text", text: "and now?" },
  ] as const;
  const mixed = aUser(content, { uuid: "x" });
  const { messages } = applyEdits([look, mixed], [{ kind: "clear", toolUseIds: ["t1"], marker: "-" }]);
  expect(messages[0]).toBe(look);
  expect(messages[1]).toMatchObject({ content: [{ ...content[0], content: "-" }, content[1], content[2]] });
});

test("ST3: an edit tells whether it changed anything, and counts as a rewrite only if it did", () => {
  const conversation = createConversation({ log: talk });
  conversation.append([ask]);
  expect(conversation.log()).toHaveLength(4);
  const pinning: Edit = { kind: "cache-edit", pin: { messageUuid: "r1", toolUseIds: ["t1"] } };
  expect(conversation.edit([])).toEqual({ changed: false, splits: [] });
  expect(conversation.edit([pinning])).toEqual({ changed: true, splits: [] });
  expect(conversation.edit([{ kind: "append", messages: [aUser("n", { uuid: "n" })] }])).toEqual({
    changed: true,
    splits: [],
  });
  expect(conversation.log().map(({ uuid }) => uuid)).toContain("n");
  expect(conversation.edit([{ kind: "append", messages: [] }])).toEqual({ changed: false, splits: [] });
  expect([conversation.rewrites(), conversation.pins().length, conversation.latestChangeUuid()]).toEqual([0, 1, null]);
  conversation.edit([{ kind: "hide", uuids: ["n"] }]);
  expect([conversation.rewrites(), conversation.pins().length, conversation.latestChangeUuid()]).toEqual([1, 0, "u1"]);
  conversation.edit([{ kind: "replace", from: 0, to: 5, messages: [] }]);
  expect([conversation.rewrites(), conversation.latestChangeUuid()]).toEqual([2, null]);
});
