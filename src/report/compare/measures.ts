import type { ChangeVerdict } from "../charts/change-bars.ts";
import { most, sum } from "../counting.ts";
import { addBills, cacheHit } from "../digest.ts";
import { dollars, duration, percent, tokensShort, whole } from "../figures-of-speech.ts";
import type { JudgedRun } from "../suite/judged-run.ts";

/** A figure of many runs, and which way is good. */
export interface Measure {
  readonly name: string;
  readonly good: "less" | "more" | "neither";
  readonly text: (value: number) => string;
  readonly of: (runs: readonly JudgedRun[]) => number;
}

const total =
  (value: (run: JudgedRun) => number) =>
  (runs: readonly JudgedRun[]): number =>
    sum(runs, value);

/** What two suites are compared by: what was forgotten first, then cost, then time. */
export const measures: readonly Measure[] = [
  { name: "Runs passed", good: "more", text: whole, of: total((run) => (run.outcome === "passed" ? 1 : 0)) },
  { name: "Invariants broken", good: "less", text: whole, of: total((run) => run.figures.broken.length) },
  { name: "Went wrong for something forgotten", good: "less", text: whole, of: total((run) => run.figures.violations) },
  { name: "Outdated values used", good: "less", text: whole, of: total((run) => run.figures.staleValues) },
  { name: "Lost goals", good: "less", text: whole, of: total((run) => run.figures.lostGoals) },
  { name: "Steps done again", good: "less", text: whole, of: total((run) => run.figures.duplicateSteps) },
  { name: "Facts read again", good: "less", text: whole, of: total((run) => run.figures.refetches) },
  { name: "Goals done", good: "more", text: whole, of: total((run) => run.figures.goalsDone) },
  { name: "Cost", good: "less", text: dollars, of: total((run) => run.figures.billed.dollars) },
  {
    name: "Input tokens",
    good: "less",
    text: tokensShort,
    of: total(({ figures: { billed } }) => billed.read + billed.write + billed.uncached),
  },
  {
    name: "Input from prompt cache",
    good: "more",
    text: percent,
    of: (runs) => cacheHit(addBills(runs.map((run) => run.figures.billed))) ?? 0,
  },
  {
    name: "Largest context",
    good: "neither",
    text: tokensShort,
    of: (runs) => most(runs.map((run) => run.figures.peakTokens)),
  },
  {
    name: "Times that the context was cut back",
    good: "neither",
    text: whole,
    of: total((run) => sum(Object.values(run.figures.layers), (times) => times)),
  },
  { name: "Time in compaction", good: "less", text: duration, of: total((run) => run.figures.compactingMs) },
  { name: "Failed requests", good: "less", text: whole, of: total((run) => run.figures.failedRequests) },
  { name: "Virtual time", good: "neither", text: duration, of: total((run) => run.figures.virtualMs) },
];

/** Whether `after` is better than `before`. Counts compare exactly; a hundredth more or less of the rest is the same. */
export function changeVerdict({ good, text }: Measure, before: number, after: number): ChangeVerdict {
  const exact = text === whole;
  if (before === after || (!exact && Math.abs(after - before) <= Math.abs(before) / 100)) return "same";
  if (good === "neither") return "not comparable";
  return after > before === (good === "more") ? "better" : "worse";
}

/** Relative change, in words where there was nothing before. */
export function changeText(before: number, after: number): string {
  if (before === after) return "none";
  if (before === 0) return "from nothing";
  const share = after / before - 1;
  if (Math.abs(share) < 0.0005) return "none";
  return `${share > 0 ? "+" : "−"}${percent(Math.abs(share))}`;
}
