import measured from "./calibration.json" with { type: "json" };
import type { Quantiles } from "./quantiles.ts";

/** Statistics of 456 real sessions (calibration.json says which): what the synthetic world is drawn from. */
export const calibration: Calibration = measured;

export interface Calibration {
  readonly roundsPerUserTurn: Quantiles;
  readonly idleGapSeconds: Quantiles;
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
    readonly new: Readonly<Record<"code" | "prose" | "markdown", number>>;
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
