import { expect, test } from "vitest";
import { aBoundary, aNotice, anAssistant, aResultMessage, aToolUse, aUser, inOrder } from "../testing/index.ts";
import type { Message } from "../transcript/index.ts";
import { lastResponseCalls, lastSettledUuid } from "./last-response.ts";

const parts = inOrder<Message>([
  anAssistant([aToolUse("a")], { id: "X" }),
  aResultMessage("a"),
  aNotice("Working."),
  anAssistant([{ type: "text", text: "And" }, aToolUse("b")], { id: "X" }),
]);

test("SM1, M2: the last response's calls are those of all its parts, and of no other response", () => {
  expect(lastResponseCalls(parts)).toEqual(["b", "a"]);
  expect(lastResponseCalls([...parts, anAssistant("Done.", { id: "Y" }), aUser("So?")])).toEqual([]);
  expect(lastResponseCalls([aUser("Go.")])).toEqual([]);
});

test("SM1, M6: behind the boundary nothing is looked at, neither calls nor results", () => {
  expect(lastResponseCalls([...parts, aBoundary()])).toEqual([]);
  const again = inOrder<Message>([aResultMessage("a"), aBoundary(), anAssistant([aToolUse("a")])]);
  expect(lastSettledUuid(again)).toBeNull();
});

test("SM1: notes cover the last message once every call of the last response has its result", () => {
  expect(lastSettledUuid(parts)).toBeNull();
  expect(lastSettledUuid([...parts, aResultMessage("a"), aNotice("Working.")])).toBeNull();
  const settled = [...parts, aResultMessage("b", "ok", { uuid: "last" })];
  expect(lastSettledUuid(settled)).toBe("last");
  expect(lastSettledUuid([...settled, aNotice("Done.", { uuid: "said" })])).toBe("said");
  expect(lastSettledUuid([aUser("Go.", { uuid: "first" })])).toBe("first");
  expect(lastSettledUuid([])).toBeNull();
});
