import type { Message, Usage } from "../transcript/index.ts";
import { roughEstimator } from "./estimator.ts";
import { inputCount, usableUsage } from "./exact-count.ts";
import type { CountOptions, TokenCount } from "./token-count.ts";
import { countTokens } from "./token-count.ts";

/** What was guessed and what the server then counted, over the same messages. Tokens, not padded. */
export interface GrowthPair {
  readonly estimated: number;
  readonly actual: number;
}

/** What has been learned from such pairs so far: a value, newer pairs weighing more. */
export type Correction = GrowthPair;

export const noCorrection: Correction = { estimated: 0, actual: 0 };

/** Each new pair leaves this much of the older ones: the last ten rounds or so decide. */
const memory = 0.9;

/** So many tokens of believing the table stand against what was seen: one short round proves little. */
const prior = 2000;

/** The table is never trusted to be further off than this, either way: a larger factor means that the pair was no pair. */
const limit = 4;

/** The correction after one more pair; the same one when the pair cannot be believed (not finite, nothing sent, shrunk). */
export function learn(correction: Correction, { estimated, actual }: GrowthPair): Correction {
  if (!(Number.isFinite(estimated + actual) && estimated > 0 && actual > 0)) return correction;
  if (actual > limit * estimated + prior || estimated > limit * actual + prior) return correction;
  return {
    estimated: correction.estimated * memory + estimated,
    actual: correction.actual * memory + actual,
  };
}

/** By how much to multiply an estimate. */
export function correctionFactor({ estimated, actual }: Correction): number {
  return Math.min(limit, Math.max(1 / limit, (actual + prior) / (estimated + prior)));
}

/**
 * The newest pair that the live part shows: what came between its last two usable responses, guessed and counted.
 * Null where there are not two. Must not be asked across an edit of the past: the difference would not be growth.
 */
export function newestGrowth(
  messages: readonly Message[],
  options: Omit<CountOptions, "overheadTokens">,
): GrowthPair | null {
  const { estimator = roughEstimator, window } = options;
  const { basis } = countTokens(messages, { ...options, overheadTokens: 0 });
  if (basis === null) return null;
  const newer = messages.find((message) => message.uuid === basis.messageUuid) as Message;
  const usage = usableUsage(newer, window) as Usage;
  const unpadded = { ...estimator, total: (sum: number) => sum };
  const before = countTokens(messages.slice(0, basis.firstPartIndex), {
    ...options,
    overheadTokens: 0,
    estimator: unpadded,
  });
  return growthBetween(before, inputCount(usage));
}

/** From the count (not padded) before a response to the input that the response tells. */
export function growthBetween(before: TokenCount, input: number): GrowthPair | null {
  return before.basis && { estimated: before.estimated, actual: input - before.basis.exact };
}
