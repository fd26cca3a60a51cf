import { expect, test } from "vitest";
import { defaultConfig } from "../config.ts";
import type { CompactionMark } from "./thrash-guard.ts";
import { judgeResult } from "./thrash-guard.ts";

const guard = defaultConfig.auto.thrashGuard;
const judge = (tokensBefore: number, tokensAfter: number, round = 50, marks: readonly CompactionMark[] = []) =>
  judgeResult({ tokensBefore, tokensAfter, threshold: 167_000, round }, marks, guard);

test("AC8: a result that is not smaller than what it replaces is discarded as inflated", () => {
  expect(judge(170_000, 170_000)).toEqual({ kind: "discard", reason: "inflated" });
  expect(judge(170_000, 169_999).kind).toBe("adopt");
});

test("AC8: smaller but still at the threshold is adopted without progress; below it, with", () => {
  expect(judge(200_000, 167_000)).toMatchObject({ kind: "adopt", progress: false });
  expect(judge(200_000, 166_999)).toMatchObject({ kind: "adopt", progress: true });
});

test("AC8: the third compaction within ten rounds that frees less than a tenth is no progress", () => {
  const marks = [
    { round: 41, freedPercent: 5 },
    { round: 45, freedPercent: 9.9 },
  ];
  expect(judge(170_000, 160_000, 50, marks)).toMatchObject({ progress: false });
  expect(judge(170_000, 150_000, 50, marks)).toMatchObject({ progress: true });
  expect(judge(170_000, 160_000, 51, marks)).toMatchObject({ progress: true });
  expect(judge(170_000, 160_000, 50, marks.slice(1))).toMatchObject({ progress: true });
});

test("AC8: a tenth is enough: only what frees less than it counts as thrashing", () => {
  const marks = [
    { round: 45, freedPercent: 5 },
    { round: 47, freedPercent: 5 },
  ];
  expect(judge(100_000, 90_000, 50, marks)).toMatchObject({ progress: true });
  expect(judge(100_000, 90_001, 50, marks)).toMatchObject({ progress: false });
});

test("AC8: no more marks are kept than the guard looks back at", () => {
  const marks = Array.from({ length: 3 }, (_, round) => ({ round, freedPercent: 50 }));
  const judgement = judge(170_000, 20_000, 50, marks);
  expect(judgement.kind === "adopt" && judgement.marks).toEqual([
    ...marks.slice(1),
    { round: 50, freedPercent: expect.closeTo(88.2, 1) },
  ]);
});

test("AC8: without a guard, as in the original, everything is adopted as progress", () => {
  const measured = { tokensBefore: 100, tokensAfter: 200_000, threshold: 167_000, round: 1 };
  expect(judgeResult(measured, [], null)).toEqual({ kind: "adopt", progress: true, marks: [] });
});
