import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import { compareCorpus } from "./compare-corpus.ts";
import { sampleCorpus } from "./corpus.ts";

test("P: a generated corpus has the measured distributions; where there are few draws, within their 99 % interval", {
  timeout: 120_000,
}, () => {
  const samples = sampleCorpus(36, createRng("corpus"));
  const figures = compareCorpus(samples);
  const wrong = figures.filter(({ holds, excuse }) => !holds && excuse === null);
  expect(wrong.filter(({ by }) => by === "tolerance")).toEqual([]);
  // One in a hundred figures leaves its 99 % interval by chance; more of them are a finding.
  expect(wrong.length).toBeLessThanOrEqual(2);
  expect(new Set(figures.filter(({ by }) => by === "tolerance").map(({ measure }) => measure)).size).toBeGreaterThan(
    10,
  );
  // The comparison can fail: sizes a quarter larger are seen.
  const larger = new Map(
    [...samples].map(([measure, values]) => [
      measure,
      measure.startsWith("share") ? values : values.map((value) => value * 1.3),
    ]),
  );
  expect(compareCorpus(larger).filter(({ holds, by }) => !holds && by === "tolerance").length).toBeGreaterThan(8);
});
