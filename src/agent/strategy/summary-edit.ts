import type { AskReply } from "../../compaction/index.ts";
import { formatSummary } from "../../compaction/index.ts";
import { estimateMessageTokens } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { messagesAfterLastBoundary, newestHumanMessage } from "../../transcript/index.ts";
import type { Edit, View } from "./port.ts";
import { viewTokens } from "./view-tokens.ts";

/** The plainest prompt that asks for a summary. */
export function summaryInstruction(focus: string): string {
  return [
    "Summarise this conversation so that the work can go on from your summary alone. Answer with text only and call no tool.",
    "Think first between <analysis> and </analysis>, if you like: that is thrown away. Then put between <summary> and </summary> what the user asked for, word for word where it matters; decisions and constraints; files read and changed; errors and how they were fixed; what is pending; what was being done last; the next step.",
    ...(focus === "" ? [] : [`Give most room to this: ${focus}`]),
  ].join("\n\n");
}

/** The summary in a reply; in words, why there is none. Usable is only a text that ended by itself (FC3). */
export function summaryOf(
  reply: AskReply,
): { readonly kind: "summary"; readonly text: string } | { readonly kind: "none"; readonly reason: string } {
  const none = (reason: string) => ({ kind: "none", reason }) as const;
  if (reply.kind === "aborted") return none("aborted");
  if (reply.kind === "error") return none(reply.error.class);
  if (reply.toolCalls.length > 0) return none("a tool call in place of a summary");
  if (reply.stopReason !== "end_turn" && reply.stopReason !== "stop_sequence") return none("the summary was cut short");
  const summary = formatSummary(reply.text);
  return summary.kind === "summary" ? summary : none(summary.reason);
}

/** The whole conversation replaced by one summary message and the newest human message; null where that is no smaller (AC8). */
export function replaceBySummary(view: View, summary: string, uuid: () => string): Edit | null {
  const live = messagesAfterLastBoundary(view.projection);
  const text = `This conversation goes on from an earlier part, of which this is the summary:\n\n${summary}`;
  const timestamp = view.nowMs;
  const message: Message = {
    kind: "user",
    uuid: uuid(),
    timestamp,
    content: [{ type: "text", text }],
    isCompactSummary: true,
  };
  const human = newestHumanMessage(live);
  const kept: readonly Message[] = human === undefined ? [] : [human];
  const before = viewTokens(view);
  const after = view.overhead.system + view.overhead.tools + estimateMessageTokens([message, ...kept]);
  if (after >= before) return null;
  const boundary: Message = {
    kind: "boundary",
    uuid: uuid(),
    timestamp,
    trigger: "auto",
    tokensBefore: before,
    tokensAfter: after,
    messagesSummarized: live.length - kept.length,
    lastUuidBefore: live.at(-1)?.uuid ?? null,
    keptUuids: kept.map((message) => message.uuid),
  };
  return { kind: "replace", from: 0, to: view.projection.length, messages: [boundary, message, ...kept] };
}
