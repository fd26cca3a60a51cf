import { expect, test } from "vitest";
import { aToolUse } from "../../testing/index.ts";
import { askReply } from "./ask-reply.ts";

test("FC3: the text of blocks that were cut is none, but a call among them is a call", () => {
  const whole = [{ type: "text", text: "one" } as const, aToolUse("1"), { type: "text", text: "two" } as const];
  const unfinished = [{ type: "text", text: "cut" } as const, aToolUse("2")];
  const reply = askReply({ content: whole, unfinished, stopReason: "max_tokens", usage: null });
  expect(reply).toMatchObject({ kind: "answer", text: "one\n\ntwo", stopReason: "max_tokens", usage: null });
  expect(reply.kind === "answer" && reply.toolCalls.map(({ id }) => id)).toEqual(["1", "2"]);
});
