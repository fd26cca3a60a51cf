import { expect, test } from "vitest";
import { defaultConfig } from "../config.ts";
import type { Breaker } from "./breaker.ts";
import { breakerAfterAbort, breakerAfterFailure, breakerAt, closedBreaker } from "./breaker.ts";

const latched = defaultConfig.auto.breaker;
const halfOpen = { ...latched, policy: { kind: "half-open", afterRounds: 20 } } as const;
const after = (rounds: readonly number[], config: typeof latched = latched): Breaker =>
  rounds.reduce((breaker, round) => breakerAfterFailure(breaker, round, config), closedBreaker);

test("AC6: two failures leave it closed, the third opens it", () => {
  expect(breakerAt(after([1, 2]), 3, latched)).toBe("closed");
  expect(after([1, 2, 3])).toEqual({ failures: 3, openedAtRound: 3 });
  expect(breakerAt(after([1, 2, 3]), 4, latched)).toBe("open");
});

test("AC6: latched stays open for ever", () => {
  expect(breakerAt(after([1, 2, 3]), 1_000_000, latched)).toBe("open");
});

test("AC6: half-open allows one try after N rounds, and its failure opens it for another N", () => {
  const open = after([1, 2, 3], halfOpen);
  expect(breakerAt(open, 22, halfOpen)).toBe("open");
  expect(breakerAt(open, 23, halfOpen)).toBe("half-open");
  const again = breakerAfterFailure(open, 23, halfOpen);
  expect(breakerAt(again, 42, halfOpen)).toBe("open");
  expect(breakerAt(again, 43, halfOpen)).toBe("half-open");
});

test("AC6: a user's abort is no failure, unless the original's way is asked for", () => {
  const two = after([1, 2]);
  expect(breakerAfterAbort(two, 3, latched)).toBe(two);
  expect(breakerAfterAbort(two, 3, { ...latched, countAborts: true })).toEqual({ failures: 3, openedAtRound: 3 });
});

test("AC6: the state is a value: a failure in one conversation leaves the other's as it was", () => {
  const shared = after([1]);
  breakerAfterFailure(shared, 2, latched);
  expect(shared).toEqual({ failures: 1, openedAtRound: null });
  expect(JSON.parse(JSON.stringify(shared))).toEqual(shared);
});
