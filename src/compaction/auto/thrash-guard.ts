import type { AutoConfig } from "../config.ts";

/** One adopted compaction, as far as the guard remembers it. */
export interface CompactionMark {
  readonly round: number;
  readonly freedPercent: number;
}

export type Judgement =
  /** It replaces the history by something that is not smaller: nothing is changed. */
  | { readonly kind: "discard"; readonly reason: "inflated" }
  /** `progress: false`: adopted, and counted as a failure all the same. */
  | { readonly kind: "adopt"; readonly progress: boolean; readonly marks: readonly CompactionMark[] };

export interface Measured {
  /** Whole next request, tokens, by the same measure. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly threshold: number;
  readonly round: number;
}

/** Measures a result before it is adopted (AC8). Without a guard everything is adopted as progress, as in the original. */
export function judgeResult(
  measured: Measured,
  marks: readonly CompactionMark[],
  guard: AutoConfig["thrashGuard"],
): Judgement {
  const { tokensBefore, tokensAfter, threshold, round } = measured;
  if (guard === null) return { kind: "adopt", progress: true, marks: [] };
  if (tokensAfter >= tokensBefore) return { kind: "discard", reason: "inflated" };
  const mark: CompactionMark = { round, freedPercent: (100 * (tokensBefore - tokensAfter)) / tokensBefore };
  const recent = [...marks, mark].slice(-guard.compactions);
  return { kind: "adopt", progress: tokensAfter < threshold && !isThrashing(recent, round, guard), marks: recent };
}

function isThrashing(
  recent: readonly CompactionMark[],
  round: number,
  guard: NonNullable<AutoConfig["thrashGuard"]>,
): boolean {
  return (
    recent.length >= guard.compactions &&
    recent.every((mark) => round - mark.round < guard.withinRounds && mark.freedPercent < guard.minFreedPercent)
  );
}
