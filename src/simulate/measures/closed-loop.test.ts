import { expect, test } from "vitest";
import { playLoop } from "./closed-loop.ts";
import { judgeLoop, pooled } from "./judge-loop.ts";

/** A window in which a session of 150 rounds is compacted several times. */
const small = { rounds: 150, seed: "3", window: 80_000 };

test("M2, M4: the loop is closed: nothing is forgotten with a perfect memory, something with a typical one, goals get lost where rounds are dropped", {
  timeout: 120_000,
}, async () => {
  const rows = [
    await playLoop("bugfix", "perfect", small),
    await playLoop("bugfix", "typical", small),
    await playLoop("bugfix", "truncate-oldest", small),
    await playLoop("bugfix", "unlimited", small),
  ];
  // The order of the kinds needs longer sessions: `longhaul measure loop --profile long-autonomous --rounds 2000`.
  const wrong = judgeLoop(rows).filter(({ holds, says }) => !holds && !says.startsWith("kinds that survive"));
  expect(wrong).toEqual([]);
  expect(rows[0]).toMatchObject({ violations: 0, lostGoals: 0, duplicateWork: 0, statedDrops: 0 });
  expect(rows[0]?.compactions).toBeGreaterThan(1);
  // Parity: the same session without compaction finishes the same goals, in fewer rounds.
  expect(rows[0]?.goalsDone).toBe(rows[3]?.goalsDone);
  expect(rows[0]?.rounds).toBeGreaterThan(rows[3]?.rounds ?? 0);
  expect(pooled(rows).length).toBeGreaterThan(6);
});

test("the judge of the loop sees a perfect memory that forgets, a typical one that does not, and kinds in the wrong order", async () => {
  const row = await playLoop("bugfix", "perfect", { ...small, rounds: 20 });
  const kinds = (constraint: number, reason: number) => [
    { kind: "constraint" as const, needed: 100, gone: constraint, violations: constraint, refetches: 0 },
    { kind: "reason" as const, needed: 100, gone: reason, violations: reason, refetches: 0 },
  ];
  const typical = { ...row, way: "typical" as const, needsAcrossCompactions: 200, violations: 60, refetches: 5 };
  const failing = (rows: Parameters<typeof judgeLoop>[0]) =>
    judgeLoop(rows).flatMap(({ holds }, i) => (holds ? [] : [i]));
  expect(failing([row])).toEqual([]);
  expect(failing([{ ...row, violations: 1 }])).toEqual([0]);
  expect(failing([{ ...row, violations: 1, statedDrops: 1 }])).toEqual([]);
  expect(failing([{ ...typical, byKind: kinds(10, 50) }])).toEqual([]);
  expect(failing([{ ...typical, byKind: kinds(50, 10) }])).toEqual([1]);
  expect(failing([{ ...typical, violations: 0, byKind: kinds(10, 50) }])).toEqual([0]);
  expect(failing([{ ...row, way: "truncate-oldest" }])).toEqual([0]);
  expect(failing([{ ...row, way: "unlimited", goalsDone: 0 }])).toEqual([0]);
});
