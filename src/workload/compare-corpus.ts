import { calibration } from "./calibration.ts";
import type { CorpusSamples } from "./corpus.ts";
import { measuredTools } from "./corpus.ts";
import type { Quantiles } from "./quantiles.ts";

/** One figure of the generated corpus beside the measured one. */
export interface ComparedFigure {
  readonly measure: string;
  /** `p10` … `p99`, or `share`. */
  readonly figure: string;
  readonly draws: number;
  readonly generated: number;
  readonly measured: number;
  /** Where the measured figure has to lie: around the generated one by a stated tolerance, or within its 99 % interval where there are few draws. */
  readonly low: number;
  readonly high: number;
  readonly by: "tolerance" | "interval";
  readonly holds: boolean;
  /** Why it need not hold; null where it must. */
  readonly excuse: string | null;
}

/** Draws from which a figure is held to a tolerance (issue E): p10 to p90 within 15 %, p99 within 35 %. */
const enoughDraws = 2500;
const tolerances = { p10: 0.15, p50: 0.15, p90: 0.15, p99: 0.35 } as const;
const quantileNames = ["p10", "p50", "p90", "p99"] as const;
const rankOf = { p10: 0.1, p50: 0.5, p90: 0.9, p99: 0.99 } as const;

/** Of a normal distribution: 99 % of it lies within so many standard deviations. */
const deviationsOf99Percent = 2.576;

/** Counts of a few characters or rounds: one more or less is always allowed. */
const grain = 1.01;

/** Deviations that are known and meant, by the name of the measure. Now: none. */
const excuses: Readonly<Record<string, string>> = {};

/** All figures that both have, generated beside measured. */
export function compareCorpus(samples: CorpusSamples): readonly ComparedFigure[] {
  const mixed = ["Agent", "Task", "AskUserQuestion"];
  const quantiles: readonly (readonly [string, Quantiles])[] = [
    ...Object.entries(calibration.toolResultChars)
      .filter(([tool]) => !mixed.includes(tool))
      .map(([tool, figures]) => [`result of ${tool}`, figures] as const),
    ["text", calibration.textChars],
    ["thinking", calibration.thinkingChars],
    ["user prompt", calibration.userPromptChars],
    ["rounds per user turn", calibration.roundsPerUserTurn],
    ["idle gap", calibration.idleGapSeconds],
    ["growth per tool round", calibration.contextGrowthTokensPerToolRound],
  ];
  const shares: readonly (readonly [string, number])[] = [
    ...measuredTools.map((tool) => [`share of ${tool}`, calibration.toolMix[tool]?.share ?? 0] as const),
    ...measuredTools.map((tool) => [`errors of ${tool}`, calibration.toolErrorRate[tool]?.rate ?? 0] as const),
    ["parallel share", calibration.toolCallsPerMessage.shareParallelOfToolMsgs],
    ["reread share", calibration.rereads.repeatShare],
  ];
  return [
    ...quantiles.flatMap(([measure, figures]) => compareQuantiles(measure, samples.get(measure) ?? [], figures)),
    ...shares.map(([measure, share]) => compareShare(measure, samples.get(measure) ?? [], share)),
  ];
}

function compareQuantiles(measure: string, values: readonly number[], figures: Quantiles): readonly ComparedFigure[] {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  return quantileNames.map((figure) => {
    const rank = rankOf[figure];
    const at = (place: number): number => sorted[Math.min(n - 1, Math.max(0, Math.round(place)))] ?? 0;
    // The interval of a quantile by order statistics: what a bootstrap of many samples converges to, without a draw.
    const spread = deviationsOf99Percent * Math.sqrt(n * rank * (1 - rank));
    const high = rank * n + spread >= n ? Infinity : at(rank * n + spread);
    const interval = [at(rank * n - spread), high] as const;
    return judge(measure, figure, n, at(rank * (n - 1)), figures[figure], tolerances[figure], interval);
  });
}

function compareShare(measure: string, values: readonly number[], measured: number): ComparedFigure {
  const n = Math.max(1, values.length);
  const generated = values.reduce((sum, value) => sum + value, 0) / n;
  const spread = deviationsOf99Percent * Math.sqrt((measured * (1 - measured)) / n);
  const tolerance = Math.max(tolerances.p50, spread / measured);
  return judge(measure, "share", values.length, generated, measured, tolerance, [
    generated - spread,
    generated + spread,
  ]);
}

function judge(
  measure: string,
  figure: string,
  draws: number,
  generated: number,
  measured: number,
  tolerance: number,
  interval: readonly [number, number],
): ComparedFigure {
  const by = draws >= enoughDraws ? "tolerance" : "interval";
  const slack = figure === "share" ? measured * tolerance : Math.max(measured * tolerance, grain);
  const slip = figure === "share" ? 0 : grain;
  const [low, high] =
    by === "tolerance" ? [generated - slack, generated + slack] : [interval[0] - slip, interval[1] + slip];
  const holds = measured >= low && measured <= high;
  return { measure, figure, draws, generated, measured, low, high, by, holds, excuse: excuses[measure] ?? null };
}
