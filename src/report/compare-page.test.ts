import { expect, test } from "vitest";
import { renderComparePage } from "./compare-page.ts";
import { exampleRun, exampleSuite } from "./example/example-suite.ts";

const suite = exampleSuite();
const side = (name: string, runs = suite.runs) => ({ name, suite: { ...suite, runs } });

test("R5: a suite against itself is the same in every figure", async () => {
  const page = await renderComparePage({ title: "same", before: side("a"), after: side("b") });
  expect(page).toContain("= The same");
  expect(page).not.toMatch(/chip (good|bad)">(better|worse)/);
  expect(page).toContain("No run is worse than before");
});

test("R5: a run that fails newly makes it worse, is listed, and carries its replay line", async () => {
  const worse = suite.runs.map((run) =>
    run.scenario === "clean-refactor" && run.seed === "2" ? exampleRun("clean-refactor", 2, true, 60) : run,
  );
  const page = await renderComparePage({ title: "worse", before: side("old"), after: side("new", worse) });
  expect(page).toMatch(
    /Runs passed<\/th><td class="n">12<\/td><td class="n">11<\/td><td class="n">−8\u00a0%<\/td><td><span class="chip bad">worse/,
  );
  expect(page).toContain("npx longhaul run scenarios/clean-refactor.yaml --seed 2");
});

test("R5: only runs of the same scenario and seed are compared, the others are named", async () => {
  const page = await renderComparePage({ title: "part", before: side("old"), after: side("new", suite.runs.slice(1)) });
  expect(page).toContain("over 13 runs of the same scenario and seed");
  expect(page).toContain("Left out, because only one side has them: clean-bugfix 1");
});
