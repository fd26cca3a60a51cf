import { expect, test } from "vitest";
import { isHumanMessage, textOf } from "../../transcript/index.ts";
import type { SummaryFrame } from "./summary-message.ts";
import { summaryMessage } from "./summary-message.ts";

const frame: SummaryFrame = { uuid: "s", timestamp: 5, kept: "none", manual: true, autonomous: false };
const text = (more: Partial<SummaryFrame>): string => textOf(summaryMessage("Summary:\nwork", { ...frame, ...more }));

test("FC8: the message is a summary, not a human's, and holds the summary as it is", () => {
  const message = summaryMessage("Summary:\nwork", frame);
  expect(message).toMatchObject({ kind: "user", uuid: "s", timestamp: 5, isCompactSummary: true });
  expect(isHumanMessage(message)).toBe(false);
  expect(textOf(message)).toMatch(/ran out of context.*\n\nSummary:\nwork\n\n/s);
});

test("FC8: each of the other sentences is there exactly when it is true", () => {
  const plain = text({});
  for (const [more, sentence] of [
    [{ transcriptPath: "/t.jsonl" }, /full transcript at: \/t\.jsonl/],
    [{ kept: "after" }, /Recent messages follow, word for word/],
    [{ kept: "before" }, /conversation above ran out of context/],
    [{ manual: false }, /without asking the user.*do not repeat/s],
    [{ autonomous: true }, /already at work.*Do not greet/s],
  ] as const) {
    expect(text(more)).toMatch(sentence);
    expect(plain).not.toMatch(sentence);
  }
});
