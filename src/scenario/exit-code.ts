import type { SuiteResult } from "./suite.ts";

/** What the process ends with (Y5). */
export const exitCodes = {
  ok: 0,
  crash: 1,
  usage: 2,
  invariantBroken: 3,
  expectationNotMet: 4,
  notDeterministic: 5,
  rareBranchNeverHit: 6,
  benchRegression: 7,
  interrupted: 130,
} as const;

/** The exit code of a suite. Of several failures the one that makes the others doubtful comes first: stopped, crashed, not deterministic, invariant, expectation, rare branch. */
export function exitCode({ runs, sometimes, whole, unfinished }: SuiteResult): number {
  const kinds = new Set(runs.map((run) => run.verdict.kind));
  if (unfinished > 0) return exitCodes.interrupted;
  if (kinds.has("crashed")) return exitCodes.crash;
  if (kinds.has("not-deterministic")) return exitCodes.notDeterministic;
  if (kinds.has("invariant-broken")) return exitCodes.invariantBroken;
  if (kinds.has("expectation-not-met")) return exitCodes.expectationNotMet;
  if (whole && sometimes.some((branch) => branch.hits === 0)) return exitCodes.rareBranchNeverHit;
  return exitCodes.ok;
}
