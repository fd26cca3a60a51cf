import type { CompareInput } from "../input.ts";
import type { JudgedRun } from "../suite/judged-run.ts";
import { judgedRuns } from "../suite/judged-run.ts";

/** The same scenario and seed on both sides. */
export interface Pair {
  readonly name: string;
  readonly before: JudgedRun;
  readonly after: JudgedRun;
}

export interface Paired {
  readonly pairs: readonly Pair[];
  /** Names of runs that only one side has. */
  readonly unpaired: readonly string[];
}

/** Runs of both sides by scenario and seed, in the order of the older suite. */
export function paired({ before, after }: CompareInput): Paired {
  const key = (run: JudgedRun): string => `${run.scenario} ${run.seed}`;
  const [older, newer] = [judgedRuns(before.suite), judgedRuns(after.suite)];
  const byKey = new Map(newer.map((run) => [key(run), run]));
  const olderKeys = new Set(older.map(key));
  const pairs = older.flatMap((run): Pair[] => {
    const twin = byKey.get(key(run));
    return twin === undefined ? [] : [{ name: key(run), before: run, after: twin }];
  });
  const unpaired = [
    ...older.map(key).filter((name) => !byKey.has(name)),
    ...newer.map(key).filter((name) => !olderKeys.has(name)),
  ];
  return { pairs, unpaired };
}
