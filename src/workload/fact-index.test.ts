import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import { createPlan } from "./create-plan.ts";
import { createFactIndex } from "./fact-index.ts";
import { profiles } from "./profiles.ts";
import { markRanges, purposeOf } from "./step-marks.ts";

const plan = createPlan({
  profile: profiles.bugfix,
  rounds: 400,
  rng: createRng("index"),
  toolErrors: true,
  resultScale: 1,
});
const index = createFactIndex(plan);

test("W2: every fact is found in its sentence by exact match, and nothing else is", () => {
  for (const fact of plan.facts) {
    const { visible, blurred } = index(`before ${fact.sentence} after`);
    expect(visible).toContain(fact.index);
    // A changed path names its file, so the two kinds about one file may stand together.
    for (const other of visible) expect(plan.facts[other]?.code).toBe(fact.code);
    expect(blurred).toEqual([]);
  }
});

test("M4: a token with a changed digit is seen as blurred, not as the fact", () => {
  for (const fact of plan.facts.filter(({ kind }) => kind !== "file-modified")) {
    const { visible, blurred } = index(fact.sentence.replaceAll(fact.token, fact.blurredToken));
    expect(visible).not.toContain(fact.index);
    expect(blurred).toContain(fact.index);
  }
});

test("a token that is cut is not found", () => {
  const fact = plan.facts.find(({ kind }) => kind === "file-read");
  expect(index(fact?.token.slice(1) ?? "").visible).toEqual([]);
  expect(index(fact?.token.slice(0, -1) ?? "").visible).toEqual([]);
});

test("marks say single items and ranges, and a goal's name alone is none", () => {
  const [goal] = plan.goals;
  expect(index(`Done: ${markRanges(goal?.code ?? "", [1, 2, 3, 7, 9, 10])}.`).marks).toEqual([
    [0, 1, 3],
    [0, 7, 7],
    [0, 9, 10],
  ]);
  expect(index(`I was asked for ${goal?.token}. 3 things are open.`).marks).toEqual([]);
});

test("a call's purpose is read from its input, whatever else it holds", () => {
  expect(purposeOf({ step: "a1b2c3.17" })).toEqual({ kind: "step", code: "a1b2c3", n: 17 });
  expect(purposeOf({ step: "again:f12" })).toEqual({ kind: "again", fact: "f12" });
  for (const odd of [null, "a1b2c3.1", {}, { step: 4 }, { step: "soon" }])
    expect(purposeOf(odd)).toEqual({ kind: "none" });
});
