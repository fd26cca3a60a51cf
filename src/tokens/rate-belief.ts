import type { ContentKind, Script } from "./chars-per-token.ts";
import { charsPerToken } from "./chars-per-token.ts";

/** Everything that has a rate of its own, in the order of the table. */
export const ratedKinds: readonly (ContentKind | Script)[] = Object.keys(charsPerToken.new) as (ContentKind | Script)[];

/** What a stretch of conversation weighs by the table, by the order of `ratedKinds`, and what no rate touches. Tokens. */
export interface ContentWeights {
  readonly byKind: readonly number[];
  readonly fixed: number;
}

/**
 * What is believed of the true rates: for each kind, how many tokens one token of the table really is, and how sure that is (a covariance: what one
 * sum cannot tell apart is remembered as such). A value, fit for JSON.
 */
export interface RateBelief {
  readonly factors: readonly number[];
  readonly covariance: readonly (readonly number[])[];
}

/** How far a rate may lie from the table before anything is known, as a standard deviation: studies of different texts differ by so much. */
const doubt = 0.12;

/** A server's count differs from the sum of rates by framing (tokens) and by how uniform the texts are (share of the count). */
const framing = 25;
const unevenness = 0.03;

/** The table is never trusted to be further off than this, either way. */
const limit = 2;

/** What is true before anything was counted: the table, with the same doubt of each kind. */
export const tableBelief: RateBelief = {
  factors: ratedKinds.map(() => 1),
  covariance: ratedKinds.map((_, i) => ratedKinds.map((__, j) => (i === j ? doubt * doubt : 0))),
};

/**
 * The belief after one more stretch whose true size is known: the least-squares answer, kind by kind (a Kalman step without forgetting, since a server's
 * rates stay). The same belief where the pair cannot be one: nothing there, not finite, shrunk, or further off than the table can be.
 */
export function learnRates(belief: RateBelief, { byKind, fixed }: ContentWeights, actual: number): RateBelief {
  const { factors, covariance } = belief;
  const guess = fixed + dot(byKind, factors);
  if (!(Number.isFinite(actual) && actual > 0 && guess > 0)) return belief;
  if (actual > limit * guess + 40 * framing || guess > limit * actual + 40 * framing) return belief;
  const spread = covariance.map((row) => dot(row, byKind));
  const noise = framing * framing + unevenness * actual * unevenness * actual;
  const variance = dot(spread, byKind) + noise;
  const surprise = actual - guess;
  return {
    factors: factors.map((factor, i) => clamp(factor + ((spread[i] as number) / variance) * surprise)),
    covariance: covariance.map((row, i) =>
      row.map((value, j) => value - ((spread[i] as number) * (spread[j] as number)) / variance),
    ),
  };
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function clamp(factor: number): number {
  return Math.min(limit, Math.max(1 / limit, factor));
}
