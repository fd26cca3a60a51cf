import fc from "fast-check";
import { expect, test } from "vitest";
import { anAssistant, aResultMessage, aToolUse, disorderedTranscript } from "../testing/index.ts";
import type { Block, Message } from "./index.ts";
import { groupByApiRound, roundStarts } from "./index.ts";

test("G2: groups follow the ids of responses alone: calls left open, results that come late, ids of calls that repeat make no difference", () => {
  const open = anAssistant([aToolUse("t1"), aToolUse("t2")], { id: "m1" });
  const next = anAssistant([aToolUse("t1")], { id: "m2" });
  const late = aResultMessage("t2", "late");
  expect(groupByApiRound([open, next, late])).toEqual([[open], [next, late]]);

  const renamed = (block: Block): Block => {
    if (block.type === "tool_use") return { ...block, id: "same" };
    return block.type === "tool_result" ? { ...block, tool_use_id: "nobody's" } : block;
  };
  const blind = (message: Message): Message =>
    "content" in message ? ({ ...message, content: message.content.map(renamed) } as Message) : message;
  fc.assert(
    fc.property(disorderedTranscript(), (transcript) => {
      expect(roundStarts(transcript.map(blind))).toEqual(roundStarts(transcript));
    }),
  );
});
