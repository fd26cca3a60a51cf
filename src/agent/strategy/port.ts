import type { AskPort, CallError, ClockPort, CompactionEvent } from "../../compaction/index.ts";
import type { ModelInfo } from "../../tokens/index.ts";
import type { Block, Message, Usage, UserMessage } from "../../transcript/index.ts";

/**
 * A compaction strategy: what the harness drives and judges (spec/strategy.md).
 * Contract:
 * - `start` makes one session's own state; two sessions never share any;
 * - every moment is optional and never rejects: a failure is an `Answer` with status `failed`;
 * - a strategy answers with edits; it never changes what the view shows (ST2, ST3).
 */
export interface Strategy {
  readonly name: string;
  /** Split pairs are repaired silently for it instead of being reported as its fault (ST3). */
  readonly repair?: true;
  /** Claims safety and liveness (O5): in a session of tool results it is below its threshold again after faults end, and finishes. All do but one that does nothing. */
  readonly live: boolean;
  start(ports: StrategyPorts): StrategySession;
}

export interface StrategySession {
  beforeRequest?(view: View, phase: Phase): Promise<Answer>;
  afterResponse?(view: View, usage: Usage | null, stopReason: string | null): Promise<Answer>;
  onRejected?(view: View, error: CallError, attempt: number): Promise<Answer>;
  onTurnEnd?(view: View): Promise<Answer>;
  onIdle?(view: View, gapMs: number): Promise<Answer>;
  onCommand?(view: View, focusText: string): Promise<Answer>;
}

export type Phase = "first-of-turn" | "in-tool-loop" | "after-resume" | "after-model-change";

/** Read-only. Ranges of edits are indices into `projection` as shown here. */
export interface View {
  /** All that ever happened, whole. */
  readonly log: readonly Message[];
  /** What would be sent, before M4, M5 and M7; without `pending`. */
  readonly projection: readonly Message[];
  /** The user's message that waits to be sent, apart from the history; null inside a tool loop. */
  readonly pending: UserMessage | null;
  readonly pins: readonly CacheEditPin[];
  readonly limits: { readonly window: number; readonly maxOutput: number; readonly requestMaxTokens: number };
  readonly lastUsage: {
    readonly usage: Usage;
    readonly messageUuid: string;
    /** True when an edit changed the projection since: the figure is stale (T4). */
    readonly olderThanLastEdit: boolean;
  } | null;
  /** Estimated tokens of what stands before the messages. */
  readonly overhead: { readonly system: number; readonly tools: number };
  readonly model: ModelInfo;
  readonly previousModel: ModelInfo | null;
  readonly turn: number;
  readonly round: number;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** A `cache_edits` block that travels at its message with every request until a `replace` or `clear` ends that prefix (MC3). */
export interface CacheEditPin {
  readonly messageUuid: string;
  readonly toolUseIds: readonly string[];
}

/** Edits of one answer refer to the view that was given, must not overlap, and are applied together. */
export type Edit =
  | {
      readonly kind: "replace";
      /** First index replaced, and the first one after. Equal: an insertion. */
      readonly from: number;
      readonly to: number;
      readonly messages: readonly Message[];
    }
  | { readonly kind: "hide"; readonly uuids: readonly string[] }
  | {
      readonly kind: "clear";
      /** tool_use ids whose results' content becomes `marker`. */
      readonly toolUseIds: readonly string[];
      readonly marker: string;
    }
  | { readonly kind: "restate"; readonly uuid: string; readonly content: readonly Block[] }
  | { readonly kind: "append"; readonly messages: readonly Message[] }
  | { readonly kind: "cache-edit"; readonly pin: CacheEditPin };

export interface Answer {
  readonly status:
    | { readonly kind: "done" | "nothing-to-do" }
    | { readonly kind: "skipped" | "failed" | "inflated"; readonly reason: string };
  readonly edits: readonly Edit[];
  readonly next:
    | { readonly kind: "send" | "retry" }
    | { readonly kind: "send-with-message"; readonly text: string }
    | { readonly kind: "stop"; readonly reason: string };
}

/** Nothing to do: send. */
export const nothing: Answer = { status: { kind: "nothing-to-do" }, edits: [], next: { kind: "send" } };

export interface StrategyPorts {
  readonly ask: AskPort;
  readonly clock: ClockPort;
  /** A uuid from the run's seeded stream. */
  uuid(): string;
  /** The file as it is now; null when it is gone. */
  read(path: string): Promise<string | null>;
  /** Keeps text outside the context and returns a short reference to it. */
  spill(text: string): string;
  /** Runs beside the session; the result arrives as a value of `poll` at a later moment, in an order fixed by the clock (ST4). */
  background<T>(key: string, work: () => Promise<T>): BackgroundWork<T>;
  /** A serialisable cell that survives a resume. */
  readonly state: { get(): unknown; set(value: unknown): void };
  emit(event: CompactionEvent): void;
}

export interface BackgroundWork<T> {
  readonly key: string;
  readonly startedAtMs: number;
  /** The result if it has arrived. */
  poll():
    | { readonly kind: "running" }
    | { readonly kind: "done"; readonly value: T }
    | { readonly kind: "failed"; readonly reason: string };
  /** Waits, at most so long. */
  wait(timeoutMs: number): Promise<"done" | "running">;
}
