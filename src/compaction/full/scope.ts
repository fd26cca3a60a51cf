import type { Message } from "../../transcript/index.ts";
import { lastBoundaryIndex, textOf } from "../../transcript/index.ts";
import type { CompactionFact } from "../events.ts";
import { explainAdjustment } from "../session-memory/invariant-index.ts";
import type { SummaryScope } from "./prompt.ts";

/** What a full compaction is asked to summarise (FC5); `pivot` is an index into the messages. */
export type RequestedScope =
  | { readonly kind: "full" }
  | { readonly kind: "partial-from" | "partial-up-to"; readonly pivot: number };

/** A scope in figures. Indices into the messages; nothing before the last boundary (M6). */
export interface ResolvedScope {
  readonly kind: SummaryScope;
  /** What the summarising request shows. */
  readonly sent: readonly Message[];
  /** What the summary stands for. */
  readonly summarised: readonly Message[];
  readonly keep: { readonly from: number; readonly to: number };
  readonly keptStand: "after-summary" | "before-summary";
}

/** The scope over the live part, its pivot moved so that no pair and no response is split (SM4); tells where it moved. */
export function resolveScope(
  messages: readonly Message[],
  requested: RequestedScope,
  emit: (fact: CompactionFact) => void,
): ResolvedScope {
  const start = lastBoundaryIndex(messages) + 1;
  const live = messages.slice(start);
  if (requested.kind === "full")
    return {
      kind: "full",
      sent: live,
      summarised: live,
      keep: { from: start, to: start },
      keptStand: "after-summary",
    };
  const wished = Math.min(messages.length, Math.max(start, requested.pivot));
  const { index: pivot, why } = explainAdjustment(messages, wished);
  if (why !== null && pivot !== wished) emit({ kind: "index_adjusted", from: wished, to: pivot, why });
  return requested.kind === "partial-from"
    ? {
        kind: "partial-from",
        sent: live,
        summarised: messages.slice(pivot),
        keep: { from: start, to: pivot },
        keptStand: "before-summary",
      }
    : {
        kind: "partial-up-to",
        sent: messages.slice(start, pivot),
        summarised: messages.slice(start, pivot),
        keep: { from: pivot, to: messages.length },
        keptStand: "after-summary",
      };
}

/** Whether there is anything that a summary could make shorter: a summary alone, or an unanswered message, is not. */
export function isWorthSummarising({ summarised }: ResolvedScope): boolean {
  return summarised.some((message) => message.kind === "assistant");
}

/** The beginning of the first message to summarise, by which the model finds the place in what it is shown; null where it has no text. */
export function openingOf({ summarised }: ResolvedScope): string | null {
  for (const message of summarised) {
    const text = textOf(message).trim();
    if (message.kind !== "notice" && text !== "") return text.slice(0, OPENING_CHARS);
  }
  return null;
}

const OPENING_CHARS = 200;
