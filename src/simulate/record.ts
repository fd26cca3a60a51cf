import type { LoopEvent } from "../agent/index.ts";
import type { CompactionEvent } from "../compaction/index.ts";
import type { Usage } from "../transcript/index.ts";
import type { FactKind, ModelTrace } from "../workload/index.ts";

/** The record of one run (O1): what happened, in order. As NDJSON: the header, one event a line, the footer. */
export interface RunRecord {
  readonly header: RecordHeader;
  readonly events: readonly RunEvent[];
  readonly footer: RecordFooter;
}

export interface RecordHeader {
  readonly kind: "header";
  /** Version of this schema. */
  readonly schema: 1;
  readonly longhaul: string;
  readonly scenario: string;
  readonly seed: string;
  readonly profile: string;
  readonly rounds: number;
  readonly model: string;
  readonly strategy: string;
  readonly transport: string;
  /** Whole resolved configuration, for the reader. */
  readonly config: unknown;
  /** The lines that the charts draw, tokens. */
  readonly lines: {
    readonly window: number;
    readonly effectiveWindow: number;
    readonly warning: number;
    readonly autoCompact: number;
    readonly blocking: number;
  };
}

/** `seq` counts from 0; `at` is virtual milliseconds since the start of the run. */
export type RunEvent = { readonly seq: number } & (CompactionEvent | LoopEvent | ServerEvent | WorldEvent | JudgeEvent);

interface At {
  readonly at: number;
  readonly turn: number;
  readonly round: number;
  readonly querySource: string;
}

/** What the mock saw. */
export type ServerEvent = At &
  (
    | {
        readonly kind: "served";
        readonly status: number;
        /** The hidden truth: tokens of the input as the server counts them. */
        readonly trueTokens: number;
        readonly usage: Usage | null;
        readonly dollars: number;
        readonly stopReason: string | null;
        /** Tokens that the server's cache gave, wrote, and neither, as billed. */
        readonly billed: {
          readonly read: number;
          readonly write: number;
          readonly uncached: number;
          readonly output: number;
        };
      }
    | {
        readonly kind: "refused";
        readonly status: number;
        readonly errorType: string;
        readonly text: string;
        readonly trueTokens: number;
        readonly injected: boolean;
      }
    | { readonly kind: "fault_injected"; readonly fault: string; readonly faultKind: string }
    | { readonly kind: "client_sin"; readonly sin: string; readonly detail: string }
  );

/** What the world and the simulated model noticed. */
export type WorldEvent = At &
  (
    | ModelTrace
    | { readonly kind: "user_said"; readonly goal: string | null; readonly chars: number }
    | { readonly kind: "user_waited"; readonly ms: number }
    | { readonly kind: "fact_born"; readonly fact: string; readonly factKind: FactKind; readonly fetchable: boolean }
    | {
        /** After each compaction: what of the facts alive is still in the context, by kind (O2). */
        readonly kind: "fact_census";
        readonly byKind: Readonly<
          Record<string, { readonly alive: number; readonly visible: number; readonly fetchable: number }>
        >;
        readonly lost: readonly string[];
      }
  );

/** What the harness found. */
export type JudgeEvent = At &
  (
    | { readonly kind: "invariant_broken"; readonly invariant: string; readonly detail: string }
    | { readonly kind: "run_ended"; readonly how: "completed" | "stuck" | "failed"; readonly detail: string }
  );

export interface RecordFooter {
  readonly kind: "footer";
  readonly events: number;
  /** Hash over all event lines; header and footer are left out (the header says how it was run, not what happened). */
  readonly hash: string;
  readonly metrics: readonly Metric[];
  readonly broken: readonly string[];
}

/** A figure by name and labels; every name is defined once in `metrics.ts`, with unit and formula. */
export interface Metric {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
