/** What can be forgotten (simulation.md W2), from what hurts most to what can be looked up again. */
export const factKinds = [
  "goal",
  "current-step",
  "constraint",
  "pending-task",
  "decision",
  "file-modified",
  "error-fix",
  "preference",
  "exact-value",
  "file-read",
  "reason",
  "rejected-approach",
  "tool-detail",
] as const;
export type FactKind = (typeof factKinds)[number];

/** What the simulated model, summariser and note taker noticed while answering: pure data for the record (M2, O2). */
export type ModelTrace =
  | {
      readonly kind: "fact_needed";
      readonly fact: string;
      readonly factKind: FactKind;
      readonly found: "visible" | "missing" | "stale" | "blurred";
    }
  /** A needed fact is gone and cannot be fetched: the model goes on wrong. */
  | { readonly kind: "violation"; readonly fact: string; readonly factKind: FactKind }
  | { readonly kind: "refetch"; readonly fact: string; readonly factKind: FactKind; readonly path: string }
  | { readonly kind: "duplicate_work"; readonly step: string }
  | { readonly kind: "lost_goal"; readonly goal: string | null }
  | { readonly kind: "stale_value"; readonly fact: string; readonly factKind: FactKind }
  | { readonly kind: "step_done"; readonly goal: string; readonly step: string }
  | { readonly kind: "goal_done"; readonly goal: string }
  | {
      /** A summary or notes were written: what the input showed and what the output shows, by fact id. */
      readonly kind: "summary_written";
      readonly by: "summariser" | "note-taker";
      readonly shown: readonly string[];
      readonly kept: readonly string[];
      readonly blurred: readonly string[];
      readonly invented: number;
    };
