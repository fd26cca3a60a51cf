import type { Timing } from "./measure.ts";

/** Medians that were committed, and the machine that they were measured on. */
export interface Baseline {
  readonly machine: string;
  readonly node: string;
  /** Share by which two measurements of the same code differ there: the largest change of any row between two runs of the bench. */
  readonly noiseFloor: number;
  /** Milliseconds by `name @ n`. */
  readonly medians: Readonly<Record<string, number>>;
}

export interface Comparison {
  /** 0.1 is a tenth slower. */
  readonly change: number;
  readonly verdict: "faster" | "slower" | "same" | "not comparable";
}

export const rowKey = ({ name, n }: Pick<Timing, "name" | "n">): string => `${name} @ ${n}`;

/** A row against the baseline; undefined where that has no such row. Another machine or major version of Node is told, not judged. */
export function compare(
  timing: Timing,
  baseline: Baseline,
  here: Pick<Baseline, "machine" | "node">,
): Comparison | undefined {
  const before = baseline.medians[rowKey(timing)];
  if (before === undefined) return undefined;
  const change = timing.median / before - 1;
  const major = (version: string): string => version.split(".")[0] ?? "";
  if (here.machine !== baseline.machine || major(here.node) !== major(baseline.node))
    return { change, verdict: "not comparable" };
  if (Math.abs(change) <= baseline.noiseFloor) return { change, verdict: "same" };
  return { change, verdict: change > 0 ? "slower" : "faster" };
}
