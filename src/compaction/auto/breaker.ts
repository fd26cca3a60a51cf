import type { AutoConfig } from "../config.ts";

/** Consecutive failures of automatic compaction in one conversation (AC6). Plain data: it threads through the loop. */
export interface Breaker {
  readonly failures: number;
  /** Round of the failure that opened it; null while it is closed. */
  readonly openedAtRound: number | null;
}

export const closedBreaker: Breaker = { failures: 0, openedAtRound: null };

type BreakerConfig = AutoConfig["breaker"];

/** Whether an automatic try may be made now. `half-open`: this one try, whose failure opens it again. */
export function breakerAt(breaker: Breaker, round: number, { policy }: BreakerConfig): "closed" | "open" | "half-open" {
  if (breaker.openedAtRound === null) return "closed";
  // Stryker disable next-line all: a latched policy has no number of rounds, and nothing is at least that many.
  if (policy.kind === "latched") return "open";
  return round - breaker.openedAtRound >= policy.afterRounds ? "half-open" : "open";
}

/** One failure more. At the limit it opens, or opens again. */
export function breakerAfterFailure(breaker: Breaker, round: number, config: BreakerConfig): Breaker {
  const failures = breaker.failures + 1;
  return { failures, openedAtRound: failures >= config.maxFailures ? round : null };
}

/** An abort by the user is no failure, unless the original's way is asked for. */
export function breakerAfterAbort(breaker: Breaker, round: number, config: BreakerConfig): Breaker {
  return config.countAborts ? breakerAfterFailure(breaker, round, config) : breaker;
}
