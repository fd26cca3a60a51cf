import { expect, test } from "vitest";
import { playHistories } from "./play-histories.ts";

const histories = Number(process.env.LONGHAUL_CASES ?? 1000) / 40;

test("O4: random histories of appends, clears, compactions, aborts, resumes and lies break no promise of the library", async () => {
  const report = await playHistories({ seed: 7, from: 0, goesOn: (so) => so.histories < histories });
  expect(report.broken).toBeNull();
  expect(report.operations).toBeGreaterThan(30 * histories);
  expect(report.compactedAgain).toBeGreaterThan(report.histories / 2);
  expect(report.aborted).toBeGreaterThan(0);
  expect(report.failed).toBeGreaterThan(0);
});

test("D3: a history is drawn from the seed and its number alone, and the same histories give the same hash", async () => {
  const play = (seed: number, from: number) => playHistories({ seed, from, goesOn: (so) => so.histories < 3 });
  const once = await play(3, 5);
  expect(await play(3, 5)).toEqual(once);
  expect((await play(4, 5)).hash).not.toBe(once.hash);
  expect((await play(3, 6)).hash).not.toBe(once.hash);
});
