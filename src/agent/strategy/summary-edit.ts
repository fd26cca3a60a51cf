import { estimateMessageTokens } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { messagesAfterLastBoundary, newestHumanMessage } from "../../transcript/index.ts";
import type { Edit, View } from "./port.ts";
import { viewTokens } from "./view-tokens.ts";

/** The plainest prompt that asks for a summary. */
export function summaryInstruction(focus: string): string {
  return [
    "Summarise this conversation so that the work can go on from your summary alone. Answer with text only and call no tool.",
    "Put it between <summary> and </summary>: what the user asked for, word for word where it matters; decisions and constraints; files read and changed; errors and how they were fixed; what is pending; what was being done last; the next step.",
    ...(focus === "" ? [] : [`Give most room to this: ${focus}`]),
  ].join("\n\n");
}

/** The whole conversation replaced by one summary message and the newest human message; null where that is no smaller (AC8). */
export function replaceBySummary(view: View, answer: string, uuid: () => string): Edit | null {
  const live = messagesAfterLastBoundary(view.projection);
  const text = `This conversation goes on from an earlier part, of which this is the summary:\n\n${summaryIn(answer)}`;
  const timestamp = view.nowMs;
  const summary: Message = {
    kind: "user",
    uuid: uuid(),
    timestamp,
    content: [{ type: "text", text }],
    isCompactSummary: true,
  };
  const human = newestHumanMessage(live);
  const kept: readonly Message[] = human === undefined ? [] : [human];
  const before = viewTokens(view);
  const after = view.overhead.system + view.overhead.tools + estimateMessageTokens([summary, ...kept]);
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
  return { kind: "replace", from: 0, to: view.projection.length, messages: [boundary, summary, ...kept] };
}

/** What stands between the tags, or all of it where there are none. */
function summaryIn(answer: string): string {
  return /<summary>([\s\S]*?)(?:<\/summary>|$)/.exec(answer)?.[1]?.trim() ?? answer.trim();
}
