import { expect, test } from "vitest";
import { aUser } from "../../testing/index.ts";
import { roughEstimator } from "../../tokens/index.ts";
import { measureBoth } from "./request-size.ts";

const before = [aUser("x".repeat(300))];
const after = [aUser("x".repeat(30))];
const measure = (count?: (messages: readonly unknown[]) => Promise<number | null>) =>
  measureBoth(before, after, 1_000, { estimator: roughEstimator, ...(count && { count }) });

test("FC9: both sizes are the port's where it tells both, else both are estimates", async () => {
  const estimates = { before: 1_100, after: 1_010 };
  expect(await measure()).toEqual(estimates);
  expect(await measure(async (messages) => (messages === before ? 90 : 9))).toEqual({ before: 90, after: 9 });
  expect(await measure(async (messages) => (messages === before ? 90 : null))).toEqual(estimates);
  expect(await measure(async (messages) => (messages === before ? null : 9))).toEqual(estimates);
});
