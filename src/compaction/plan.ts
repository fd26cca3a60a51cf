import type { BoundaryMessage, Message } from "../transcript/index.ts";
import type { Trigger } from "./events.ts";

/**
 * What a compaction would make of a transcript, as data over the array that it was made from.
 * The new transcript is `head`, then `messages[keep.from … keep.to)` untouched, then `tail`.
 */
export interface CompactionPlan {
  readonly layer: "full" | "session-memory" | "drop";
  readonly trigger: Trigger;
  /** Boundary first, then summary (or drop marker), newest human message where it is not kept (FC9). In `partial-from` the boundary alone. */
  readonly head: readonly Message[];
  /** Indices into the input array; equal where nothing is kept. Never spans an earlier boundary. */
  readonly keep: { readonly from: number; readonly to: number };
  /** Attachments and hook results; in `partial-from` the summary too. */
  readonly tail: readonly Message[];
  /** The one in `head`, whose figures say what the plan does. */
  readonly boundary: BoundaryMessage;
  /** The cleaned summary, the notes used in its place, or "" for a drop. */
  readonly summary: string;
  /** Estimate of the whole next request (overhead and attachments included), before and after, in tokens. Same as the boundary's. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Paths whose content stands in what is kept or in `tail`: what the read-file cache is refilled with at the commit (FC1). */
  readonly reattached: readonly string[];
}

/** What the model calls of one compaction did, summed. Session memory makes none. */
export interface CompactionCost {
  readonly attempts: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
}

export const noCost: CompactionCost = { attempts: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };

/**
 * How a compaction ended. A plan is not yet adopted: nothing outside has changed until the compactor measures it (AC8),
 * resets the read-file cache with `plan.reattached` and hands it to the loop (FC1's commit), then runs the PostCompact hooks.
 * So `failed` and `aborted` leave everything as it was (FC11, FC12).
 */
export type CompactionOutcome =
  | { readonly kind: "compacted"; readonly plan: CompactionPlan; readonly cost: CompactionCost }
  | { readonly kind: "nothing-to-do"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string; readonly attempts: number }
  | { readonly kind: "aborted" };

/** The transcript after the plan. Kept messages are the input's own objects (SM6). */
export function applyPlan(messages: readonly Message[], plan: CompactionPlan): Message[] {
  return [...plan.head, ...messages.slice(plan.keep.from, plan.keep.to), ...plan.tail];
}
