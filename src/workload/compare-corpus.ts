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
  /** Relative difference that is allowed; null: too few draws to hold it to one (shown all the same). */
  readonly tolerance: number | null;
  readonly holds: boolean;
}

/** Draws from which a figure is held to its tolerance (issue E): p10 to p90 within 15 %, p99 within 35 %. */
const enoughDraws = 2500;
const tolerances = { p10: 0.15, p50: 0.15, p90: 0.15, p99: 0.35 } as const;
const quantileNames = ["p10", "p50", "p90", "p99"] as const;
const shareOf = { p10: 0.1, p50: 0.5, p90: 0.9, p99: 0.99 } as const;

/** Figures this small are counts of a few characters or rounds, where one more is a large share: so much difference is always allowed. */
const grain = 1.01;

/** All figures that both have, generated beside measured. */
export function compareCorpus(samples: CorpusSamples): readonly ComparedFigure[] {
  const quantiles: readonly (readonly [string, Quantiles])[] = [
    ...Object.entries(calibration.toolResultChars)
      .filter(([tool]) => tool !== "Agent" && tool !== "Task" && tool !== "AskUserQuestion")
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
    ...shares.flatMap(([measure, share]) => compareShare(measure, samples.get(measure) ?? [], share)),
  ];
}

function compareQuantiles(measure: string, values: readonly number[], figures: Quantiles): readonly ComparedFigure[] {
  const sorted = [...values].sort((a, b) => a - b);
  return quantileNames.map((figure) => {
    const generated = sorted[Math.floor(shareOf[figure] * (sorted.length - 1))] ?? 0;
    return judged(measure, figure, sorted.length, generated, figures[figure], tolerances[figure], grain);
  });
}

function compareShare(measure: string, values: readonly number[], measured: number): readonly ComparedFigure[] {
  const generated = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  // A share of few events is held to its own sampling error (three standard deviations), not to 15 %.
  const deviation = Math.sqrt((measured * (1 - measured)) / Math.max(1, values.length));
  return [judged(measure, "share", values.length, generated, measured, tolerances.p50, 3 * deviation)];
}

function judged(
  measure: string,
  figure: string,
  draws: number,
  generated: number,
  measured: number,
  tolerance: number,
  slack: number,
): ComparedFigure {
  const held = draws >= enoughDraws;
  const miss = Math.abs(generated - measured);
  return {
    measure,
    figure,
    draws,
    generated,
    measured,
    tolerance: held ? tolerance : null,
    holds: !held || miss <= Math.max(measured * tolerance, slack),
  };
}
