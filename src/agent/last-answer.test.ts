import { expect, test } from "vitest";
import { aNotice, anAssistant, aResultMessage, aToolUse, aUser } from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import { lastAnswerOf } from "./last-answer.ts";

const said = (text: string, id = "m1", uuid = `${id}-${text}`) => anAssistant(text, { id, uuid });
const called = (call: string, id = "m1") => anAssistant([aToolUse(call)], { id, uuid: `${id}-${call}` });
const human = aUser("Go on.", { uuid: "u" });
const told = (messages: readonly Message[]) => {
  const { last, calls, text } = lastAnswerOf(messages);
  return [last?.uuid ?? null, calls, text];
};

test("the last answer is all its parts, texts in their order, and its last part says how it ended", () => {
  expect(told([human, said("One."), said("Two.")])).toEqual(["m1-Two.", 0, "One.\n\nTwo."]);
  const both = anAssistant([{ type: "text", text: "a" }, aToolUse("t1"), { type: "text", text: "b" }], { uuid: "a1" });
  expect(told([human, both])).toEqual(["a1", 1, "a\n\nb"]);
  expect(told([said("Alone.")])).toEqual(["m1-Alone.", 0, "Alone."]);
});

test("results stand with their calls, between the parts and after them; notices do not count", () => {
  const parts = [called("t1"), aResultMessage("t1"), aNotice("Nearly full."), called("t2"), aResultMessage("t2")];
  expect(told([human, said("Look."), ...parts])).toEqual(["m1-t2", 2, "Look."]);
  expect(told([human, said("Done."), aNotice("Nearly full.")])).toEqual(["m1-Done.", 0, "Done."]);
});

test("an answer ends where another begins, or where a person spoke", () => {
  expect(told([said("Old.", "m0"), called("t0", "m0"), aResultMessage("t0"), said("New.")])).toEqual([
    "m1-New.",
    0,
    "New.",
  ]);
  expect(told([said("Old."), human, said("New.")])).toEqual(["m1-New.", 0, "New."]);
  expect(told([said("Old.", "m0"), said("New.")])).toEqual(["m1-New.", 0, "New."]);
});

test("there is none where something else stands last", () => {
  expect(told([])).toEqual([null, 0, ""]);
  expect(told([said("Done."), human])).toEqual([null, 0, ""]);
  const mixed = aUser([
    { type: "tool_result", tool_use_id: "t1", content: "x" },
    { type: "text", text: "and" },
  ]);
  expect(told([called("t1"), mixed])).toEqual([null, 0, ""]);
});
