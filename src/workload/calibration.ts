import measured from "./calibration.json" with { type: "json" };
import type { Quantiles, RankedPoints } from "./quantiles.ts";
import { pointsOf } from "./quantiles.ts";

/** Statistics of 456 real sessions (calibration.json says which): what the synthetic world is drawn from. */
export const calibration: Calibration = measured;

export interface Calibration {
  readonly roundsPerUserTurn: Quantiles;
  readonly idleGapSeconds: Quantiles & {
    readonly over5m: number;
    readonly over60m: number;
    readonly over8h: number;
  };
  readonly toolMix: Readonly<Record<string, { readonly share: number }>>;
  readonly mcpShare: number;
  readonly toolResultChars: Readonly<Record<string, Quantiles>>;
  readonly toolInputChars: Readonly<Record<string, Quantiles>>;
  readonly toolErrorRate: Readonly<Record<string, { readonly rate: number }>>;
  readonly toolLatencySeconds: Readonly<Record<string, Quantiles>>;
  readonly textChars: Quantiles & { readonly n: number };
  readonly thinkingChars: Quantiles & { readonly n: number };
  readonly userPromptChars: Quantiles;
  readonly contextGrowthTokensPerToolRound: Quantiles;
  readonly charsPerToken: {
    readonly perResultOverheadTokens: Readonly<Record<"Read" | "Bash" | "Edit", number>>;
  };
  readonly toolCallsPerMessage: {
    readonly shareParallelOfToolMsgs: number;
    readonly n: number;
    readonly hist: Readonly<Record<string, number>>;
  };
  readonly parallelShareByTool: Readonly<Record<string, number>>;
  readonly rereads: { readonly repeatShare: number };
  readonly toolOutputCapsChars: { readonly Bash: number; readonly Grep: number; readonly any: number };
  readonly summaryChars: Quantiles;
}

/** Idle gaps, seconds: the quantiles, and the shares that were measured above 5 minutes, an hour and 8 hours. */
export function idleGapPoints(): RankedPoints {
  const { over5m, over60m, over8h } = calibration.idleGapSeconds;
  const shares: RankedPoints = [
    [1 - over5m, 300],
    [1 - over60m, 3600],
    [1 - over8h, 28_800],
  ];
  return [...pointsOf(calibration.idleGapSeconds), ...shares].sort(([a], [b]) => a - b);
}
