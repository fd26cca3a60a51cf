import type { Message } from "../../transcript/index.ts";
import { dropAllThinking } from "../../transcript/index.ts";
import { clearResults } from "../micro/clear-results.ts";
import type { AskRequest } from "../ports.ts";
import { prepareForSummary } from "./prepare.ts";
import { DIRECT_SYSTEM_PROMPT } from "./prompt.ts";

/** The fork shares the main thread's prefix; the direct path shares nothing (FC3). */
export type SummaryPath = "fork" | "direct";

/** What is to be summarised, and in which state it is sent. */
export interface History {
  /** The live messages of the scope, untouched. */
  readonly original: readonly Message[];
  /** Results that the main thread's pinned cache edits have deleted on the server (MC3). */
  readonly deletedResults: ReadonlySet<string>;
  readonly clearedMarker: string;
  /** Media as markers, announcements gone, on the fork too (FC2). */
  readonly prepared: boolean;
  /** What is left after the head was cut, on both paths; null while it is whole (PT4). */
  readonly truncated: readonly Message[] | null;
  /** Thinking is refused when anything before it has changed (M7). */
  readonly prefixBound: boolean;
}

/**
 * The messages that a path sends. The fork sends the conversation untouched while nothing forces a change. Whatever cannot carry the
 * pinned edits has the results that they name cleared; changed messages lose the thinking that is bound to what they were.
 */
export function messagesFor(path: SummaryPath, history: History): readonly Message[] {
  const { original, prepared, truncated } = history;
  if (truncated === null && path === "fork" && !prepared) return original;
  const messages =
    truncated ?? prepareForSummary(carriesEdits(path, history) ? original : withoutDeletedResults(history));
  return history.prefixBound && messages !== original ? dropAllThinking(messages).messages : messages;
}

/** What a head is cut from: prepared, and with the deleted results cleared, before anything is estimated or dropped (MC3). */
export function messagesToTruncate(history: History): readonly Message[] {
  return history.truncated ?? prepareForSummary(withoutDeletedResults(history));
}

/** What the server counts of a request: deleted results weigh nothing, whichever way they were deleted. */
export function messagesAsCounted(path: SummaryPath, history: History): readonly Message[] {
  return clearResults(messagesFor(path, history), history.deletedResults, history.clearedMarker);
}

export function summaryRequest(
  path: SummaryPath,
  history: History,
  instruct: string,
  maxOutput: number,
  signal: AbortSignal | undefined,
): AskRequest {
  const shared = path === "fork";
  return {
    purpose: "compact",
    messages: messagesFor(path, history),
    instruct,
    system: shared ? "same" : { own: DIRECT_SYSTEM_PROMPT },
    tools: shared ? "same" : "none",
    thinking: shared ? "same" : "off",
    cacheEdits: carriesEdits(path, history) ? "same" : "none",
    model: "main",
    maxOutput,
    ...(signal === undefined ? {} : { signal }),
  };
}

function carriesEdits(path: SummaryPath, { truncated }: History): boolean {
  return path === "fork" && truncated === null;
}

function withoutDeletedResults({ original, deletedResults, clearedMarker }: History): readonly Message[] {
  return clearResults(original, deletedResults, clearedMarker);
}
