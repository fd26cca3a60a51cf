import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import { compareCorpus } from "./compare-corpus.ts";
import { sampleCorpus } from "./corpus.ts";

test("P: a generated corpus has the measured distributions", { timeout: 120_000 }, () => {
  const figures = compareCorpus(sampleCorpus(36, createRng("corpus")));
  const held = figures.filter(({ tolerance }) => tolerance !== null);
  expect(new Set(held.map(({ measure }) => measure)).size).toBeGreaterThan(10);
  expect(held.filter(({ holds }) => !holds)).toEqual([]);
});
