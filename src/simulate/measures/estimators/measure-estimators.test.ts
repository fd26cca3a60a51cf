import { expect, test } from "vitest";
import { profileNames } from "../../../workload/index.ts";
import { measureEstimators } from "./measure-estimators.ts";

test("T6: cold, the calibrated estimator is within 10 % of the server's hidden count at p90 on every profile and tokenizer, where the rule of thumb is not", () => {
  let sessions = 0;
  const plan = { profiles: profileNames, seeds: [1], rounds: 12 };
  const { profiles, kinds } = measureEstimators(plan, () => sessions++);
  expect(sessions).toBe(profileNames.length);
  expect(profiles.map(({ of, tokenizer }) => `${of} ${tokenizer}`)).toEqual(
    profileNames.flatMap((name) => [`${name} old`, `${name} new`]),
  );
  for (const error of profiles) {
    expect(error.samples).toBeGreaterThanOrEqual(9);
    expect([error.of, error.tokenizer, error.calibrated.p90]).toEqual([error.of, error.tokenizer, expect.any(Number)]);
    expect(error.calibrated.p90).toBeLessThan(0.1);
    expect(error.calibrated.p50).toBeLessThanOrEqual(error.calibrated.p90);
  }
  expect(profiles.filter(({ rough }) => rough.p90 > 0.1).length).toBeGreaterThan(profiles.length / 2);
  const prose = kinds.find(({ of, tokenizer }) => of === "prose" && tokenizer === "old");
  expect(prose?.rough.p90).toBeGreaterThan(0.5);
});

test("T6: the same seeds give the same errors, others give others", () => {
  const errors = (seed: number) => measureEstimators({ profiles: ["polyglot-cjk"], seeds: [seed], rounds: 8 });
  expect(errors(3)).toEqual(errors(3));
  expect(errors(4)).not.toEqual(errors(3));
});
