import { expect, test } from "vitest";
import { anAssistant, anImage, aToolResult, aToolUse, aUser } from "../../testing/index.ts";
import { roughTokenSum } from "../../tokens/index.ts";
import { newestMessageToKeep } from "./newest-message.ts";

const keep = { maxTokens: 20_000, mediaRefused: false, uuid: () => "new" };

test("FC9: the newest human message is kept as the very object, however old it is", () => {
  const human = aUser("the goal");
  const live = [
    aUser("older"),
    human,
    anAssistant([aToolUse("t")]),
    aUser([aToolResult("t")]),
    aUser("go on", { isMeta: true }),
  ];
  expect(newestMessageToKeep(live, [], keep)).toBe(human);
});

test("FC9: a human message that is kept anyway is not there twice", () => {
  const human = aUser("the goal");
  expect(newestMessageToKeep([human], [human], keep)).toBeNull();
  expect(newestMessageToKeep([human, aUser("newer")], [human], keep)).toEqual(aUser("newer"));
  expect(newestMessageToKeep([anAssistant("hello")], [], keep)).toBeNull();
});

test("FC9: above 20 000 tokens it is cut in the middle, with a note, and is another message", () => {
  const kept = newestMessageToKeep([aUser(`start${"x".repeat(200_000)}end`)], [], keep);
  expect(kept?.uuid).toBe("new");
  expect(JSON.stringify(kept)).toMatch(/start.*was cut.*end/s);
  expect(roughTokenSum(kept === null ? [] : [kept])).toBeLessThanOrEqual(20_000);
  const short = aUser("x".repeat(80_000));
  expect(newestMessageToKeep([short], [], keep)).toBe(short);
});

test("FC9: refused media in it are markers, and its words stay", () => {
  const human = aUser([{ type: "text", text: "see" }, anImage()]);
  expect(newestMessageToKeep([human], [], keep)).toBe(human);
  expect(newestMessageToKeep([human], [], { ...keep, mediaRefused: true })?.content).toEqual([
    { type: "text", text: "see" },
    { type: "text", text: "[image]" },
  ]);
});

test("FC9: tool results beside the words go: their calls are summarised away", () => {
  const human = aUser([aToolResult("t"), { type: "text", text: "stop, do this" }]);
  expect(newestMessageToKeep([anAssistant([aToolUse("t")]), human], [], keep)?.content).toEqual([
    { type: "text", text: "stop, do this" },
  ]);
});
