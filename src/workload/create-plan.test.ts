import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import { createPlan } from "./create-plan.ts";
import type { Plan, PlanFact } from "./plan.ts";
import { profiles } from "./profiles.ts";
import { factKinds } from "./trace.ts";
import { profileNames } from "./workload.ts";

function planOf(profile: (typeof profileNames)[number], rounds: number, seed = "plan"): Plan {
  return createPlan({ profile: profiles[profile], rounds, rng: createRng(seed), toolErrors: true, resultScale: 1 });
}

const long = planOf("bugfix", 2000);

test("W2: every fact has a token and an id of its own, and a changed token that is no other's", () => {
  const tokens = [...new Set(long.facts.map(({ token }) => token))];
  expect(tokens).toHaveLength(long.facts.length);
  expect(new Set(long.facts.map(({ id }) => id)).size).toBe(long.facts.length);
  for (const { blurredToken } of long.facts) expect(tokens).not.toContain(blurredToken);
});

test("W2: all kinds are born in a long session; the current step has no token of its own", () => {
  const born = new Set(long.facts.map(({ kind }) => kind));
  expect(factKinds.filter((kind) => !born.has(kind))).toEqual(["current-step"]);
});

test("W2: a fact is needed only after its birth, and a corrected value no more after its correction", () => {
  for (const fact of long.facts) {
    const known = fact.step ?? firstStepOfTurn(long, fact.turn);
    for (const use of fact.uses) expect(use).toBeGreaterThan(fact.step === null ? known - 1 : known);
    const correction = long.facts[fact.supersededBy ?? -1];
    if (correction === undefined) continue;
    expect(correction.supersedes).toBe(fact.index);
    expect(correction.token.split("=")[0]).toBe(fact.token.split("=")[0]);
    for (const use of fact.uses) expect(use).toBeLessThan(firstStepOfTurn(long, correction.turn));
  }
  expect(long.facts.filter(({ supersededBy }) => supersededBy !== null).length).toBeGreaterThan(2);
});

test("W2: a fact born in a tool result can be fetched, or the next answer says it again", () => {
  for (const step of long.steps) {
    for (const index of step.yields) {
      const fact = long.facts[index] as PlanFact;
      const next = long.batches[step.batch + 1];
      expect(fact.fetch !== null || next === undefined || next.restates.includes(index)).toBe(true);
    }
  }
});

test.each(["bugfix", "long-autonomous", "parallel-tools"] as const)(
  "W2: the facts alive in %s at one time fit in 8 000 tokens, those of a kind in 1 500",
  (name) => {
    const plan = planOf(name, 2000);
    for (let step = 0; step < plan.steps.length; step += 25) {
      const size = new Map<string, number>();
      for (const fact of plan.facts) {
        const from = fact.step ?? firstStepOfTurn(plan, fact.turn);
        const until = fact.uses.at(-1) ?? -1;
        // Three characters a token: these sentences are prose with a code in it.
        if (from <= step && until >= step) size.set(fact.kind, (size.get(fact.kind) ?? 0) + fact.sentence.length / 3);
      }
      const all = [...size.values()];
      expect(Math.max(0, ...all)).toBeLessThan(1500);
      expect(all.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThan(8000);
    }
  },
);

test("W3: a goal is a plan of numbered steps, and every step belongs to one answer", () => {
  for (const goal of long.goals) {
    expect(goal.steps.map((step) => long.steps[step]?.n)).toEqual(goal.steps.map((_, i) => i + 1));
  }
  expect(long.batches.flatMap(({ steps }) => steps)).toEqual(long.steps.map(({ index }) => index));
});

test("P: the same seed gives the same plan, another seed another", () => {
  expect(planOf("refactor", 60)).toEqual(planOf("refactor", 60));
  expect(planOf("refactor", 60, "other").goals).not.toEqual(planOf("refactor", 60).goals);
});

test.each(profileNames)("P: %s has about as many answers as were asked for, at any length", (name) => {
  for (const rounds of [10, 150, 1000]) {
    const { batches } = planOf(name, rounds);
    expect(batches.length).toBeGreaterThan(rounds * 0.85);
    expect(batches.length).toBeLessThanOrEqual(rounds + 1);
  }
});

function firstStepOfTurn(plan: Plan, turn: number): number {
  return plan.batches.find((batch) => batch.turn >= turn)?.steps[0] ?? plan.steps.length;
}
