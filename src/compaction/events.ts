import type { QuerySource } from "../transcript/index.ts";

/** Everything the library tells of what it did (TE1). Tokens are estimates of the configured estimator unless named exact. */
export type CompactionEvent = CompactionFact & EventContext;

/** When and where: the caller's turn and round, virtual milliseconds. */
export interface EventContext {
  readonly at: number;
  readonly turn: number;
  readonly round: number;
  readonly querySource: QuerySource;
}

export type Layer = "microcompact" | "auto" | "full" | "session-memory" | "reactive" | "drop" | "collapse";
export type Trigger = "auto" | "manual" | "reactive";

export type CompactionFact =
  | {
      readonly kind: "microcompact";
      readonly path: "time" | "cached";
      /** tool_use ids. */
      readonly cleared: readonly string[];
      readonly tokensFreed: number;
    }
  | { readonly kind: "cache_edits_pinned"; readonly messageUuid: string; readonly toolUseIds: readonly string[] }
  | {
      readonly kind: "autocompact_check";
      readonly tokens: number;
      readonly threshold: number;
      readonly decision: "compact" | "below" | AutoCompactBlocker;
    }
  | {
      readonly kind: "compact_started";
      readonly trigger: Trigger;
      readonly layer: "full" | "session-memory";
      readonly tokensBefore: number;
    }
  | {
      readonly kind: "compact_succeeded";
      readonly trigger: Trigger;
      readonly layer: "full" | "session-memory";
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly messagesSummarized: number;
      readonly messagesKept: number;
      /** Model calls made, 0 for session memory. */
      readonly attempts: number;
      readonly cacheReadTokens: number;
      readonly cacheCreationTokens: number;
      readonly durationMs: number;
      readonly willRetriggerNextTurn: boolean;
      /** AC7; null at the first compaction of a conversation, as are the next two. */
      readonly turnsSinceLast: number | null;
      /** It came within the same turn as the last one. */
      readonly sameChain: boolean | null;
      readonly lastBoundaryUuid: string | null;
    }
  | {
      readonly kind: "compact_failed";
      readonly trigger: Trigger;
      readonly layer: "full" | "session-memory";
      readonly reason: string;
      readonly attempts: number;
      readonly durationMs: number;
    }
  | { readonly kind: "compact_aborted"; readonly trigger: Trigger; readonly layer: "full" | "session-memory" }
  | {
      readonly kind: "compact_ptl_retry";
      readonly attempt: number;
      readonly droppedMessages: number;
      readonly droppedTokens: number;
      readonly gap: number | null;
    }
  | { readonly kind: "compact_fallback_streaming"; readonly reason: string; readonly attempt: number }
  | {
      readonly kind: "index_adjusted";
      readonly from: number;
      readonly to: number;
      readonly why: "tool-pair" | "message-id" | "both";
    }
  | { readonly kind: "sm_extraction_started"; readonly tokens: number }
  | {
      readonly kind: "sm_extraction_finished";
      readonly outcome: "updated" | "failed" | "aborted";
      readonly durationMs: number;
      readonly lastSummarizedUuid: string | null;
    }
  | { readonly kind: "sm_compact_skipped"; readonly reason: string }
  | { readonly kind: "collapse_staged"; readonly spans: number; readonly tokens: number }
  | { readonly kind: "collapse_committed"; readonly spans: number; readonly tokensFreed: number }
  | { readonly kind: "collapse_drained"; readonly spans: number }
  | { readonly kind: "breaker_opened"; readonly failures: number; readonly lastReason: string }
  | { readonly kind: "breaker_closed"; readonly by: "manual" | "auto" | "half-open" }
  | {
      readonly kind: "recovery_step";
      readonly step: RecoveryStep;
      readonly outcome: "done" | "failed" | "skipped";
      readonly detail: string;
    }
  | { readonly kind: "rounds_dropped"; readonly messages: number; readonly tokens: number; readonly why: string }
  | { readonly kind: "pairing_repaired"; readonly repairs: Readonly<Record<string, number>> }
  | { readonly kind: "thinking_dropped"; readonly blocks: number; readonly why: "rebound" | "other-model" | "unsigned" }
  | { readonly kind: "blocked"; readonly tokens: number; readonly limit: number }
  | { readonly kind: "notice"; readonly code: string; readonly text: string };

export type AutoCompactBlocker =
  | "source"
  | "disabled"
  | "reactive-only"
  | "collapse-mode"
  | "breaker-open"
  | "irreducible";

/** The five steps, in their order (RC2-RC4). */
export type RecoveryStep =
  | "collapse-drain"
  | "reactive-compact"
  | "raise-output-cap"
  | "continuation"
  | "model-fallback";

/** Contract: never throws, is cheap, and keeps nothing of the caller's. */
export type EventSink = (event: CompactionEvent) => void;
