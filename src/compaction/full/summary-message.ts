import type { UserMessage } from "../../transcript/index.ts";

/** What a summary message says beside the summary (FC8). */
export interface SummaryFrame {
  readonly uuid: string;
  readonly timestamp: number;
  /** Where the full transcript can be read; left out where it cannot. */
  readonly transcriptPath?: string | undefined;
  /** Whether messages kept word for word stand after it (or, in `partial-from`, before it). */
  readonly kept: "none" | "after" | "before";
  /** A person asked for the compaction; otherwise the model is told to go on by itself. */
  readonly manual: boolean;
  /** No person is waiting for an answer. */
  readonly autonomous: boolean;
}

/** The message that stands in the place of what was summarised (FC8). Session memory frames its notes in the same way (SM5). */
export function summaryMessage(summary: string, frame: SummaryFrame): UserMessage {
  return {
    kind: "user",
    uuid: frame.uuid,
    timestamp: frame.timestamp,
    isCompactSummary: true,
    content: [{ type: "text", text: summaryText(summary, frame) }],
  };
}

function summaryText(summary: string, frame: Omit<SummaryFrame, "uuid" | "timestamp">): string {
  const parts = [
    frame.kept === "before"
      ? "The conversation above ran out of context. Its recent part, which followed the messages above, is given here as a summary."
      : "This session goes on from an earlier conversation that ran out of context. What came before is given here as a summary.",
    summary,
  ];
  if (frame.transcriptPath !== undefined)
    parts.push(
      `Where a detail from before is needed that the summary does not have (exact code, an error's text, output of a command), read the full transcript at: ${frame.transcriptPath}`,
    );
  if (frame.kept !== "before")
    parts.push(
      "A message of the user that stands right after this one is the newest, word for word; the summary says how far it has been dealt with.",
    );
  if (frame.kept === "after") parts.push("Recent messages follow, word for word.");
  if (!frame.manual)
    parts.push(
      "Go on with the work from where it stopped, without asking the user anything first. Do not mention the summary, do not repeat what was done, and do not open with a remark about continuing: take up the last task as if there had been no break.",
    );
  if (frame.autonomous)
    parts.push(
      "You are working on your own, and you were already at work before this point; this is not the start. Do not greet and do not ask what to do: carry on with the work in hand.",
    );
  return parts.join("\n\n");
}
