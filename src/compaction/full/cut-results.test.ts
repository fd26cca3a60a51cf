import { expect, test } from "vitest";
import { aNotice, anAssistant, anImage, aResultMessage, aToolResult, aToolUse, aUser } from "../../testing/index.ts";
import type { Message } from "../../transcript/index.ts";
import { cutLargestResults } from "./cut-results.ts";

const text = (length: number) => ({ type: "text" as const, text: "x".repeat(length) });
const lengthsIn = (messages: readonly Message[]): readonly number[] =>
  messages.flatMap((message) =>
    message.kind === "user"
      ? message.content.flatMap((block) => {
          if (block.type !== "tool_result") return [];
          if (typeof block.content === "string") return [block.content.length];
          return block.content.map((part) => (part.type === "text" ? part.text.length : 0));
        })
      : [],
  );

test("PT4: the largest results are cut to one length, until what was asked for is freed", () => {
  const messages = [4_000, 1_000, 3_000].map((length, i) => aResultMessage(`t${i}`, "x".repeat(length)));
  const cut = cutLargestResults(messages, 750); // 3 000 characters: 2 000 from the first, 1 000 from the last
  expect(lengthsIn(cut)).toEqual([2_000, 1_000, 2_000]);
  expect(cut[1]).toBe(messages[1]);
});

test("PT4: a text inside a result is cut like a result; images, words and messages without results stay", () => {
  const said = text(5_000);
  const messages: readonly Message[] = [
    aNotice("local"),
    anAssistant([aToolUse("t0")]),
    aUser([said, aToolResult("t0", [text(4_000), anImage(), text(100)]), aToolResult("t1", "y".repeat(50))]),
    aUser([said]),
  ];
  const cut = cutLargestResults(messages, 500);
  expect(lengthsIn(cut)).toEqual([2_000, 0, 100, 50]);
  const kept = cut[2]?.kind === "user" ? cut[2].content : [];
  expect(kept[0]).toBe(said);
  expect(kept[1]).toMatchObject({ type: "tool_result", content: [{}, anImage(), text(100)] });
  for (const i of [0, 1, 3]) expect(cut[i]).toBe(messages[i]);
});

test("PT4: a readable rest of 400 characters stays; where that is all there is, the array is the same", () => {
  const messages = [400, 4_000].map((length, i) => aResultMessage(`t${i}`, "x".repeat(length)));
  const cut = cutLargestResults(messages, 100_000);
  expect(lengthsIn(cut)).toEqual([400, 400]);
  expect(cut[0]).toBe(messages[0]);
  expect(cutLargestResults(cut, 100_000)).toBe(cut);
  expect(cutLargestResults(messages, 0)).toBe(messages);
});
