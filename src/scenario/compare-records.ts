import type { RunEvent, RunRecord } from "../simulate/index.ts";

/** Where two runs of the same scenario and seed part (D1). */
export interface Difference {
  /** Index of the first event that differs. */
  readonly index: number;
  /** Null: this run ended before. */
  readonly first: RunEvent | null;
  readonly second: RunEvent | null;
  /** Names of the fields that differ; empty where one run ended before. */
  readonly fields: readonly string[];
}

/** The first event in which two records differ; null when all events are equal. Headers say how it was run and are not compared. */
export function firstDifference(a: RunRecord, b: RunRecord): Difference | null {
  const length = Math.max(a.events.length, b.events.length);
  for (let index = 0; index < length; index++) {
    const [first, second] = [a.events[index] ?? null, b.events[index] ?? null];
    if (JSON.stringify(first) === JSON.stringify(second)) continue;
    return { index, first, second, fields: first === null || second === null ? [] : differingFields(first, second) };
  }
  return null;
}

function differingFields(first: RunEvent, second: RunEvent): string[] {
  const [a, b] = [
    first as unknown as Readonly<Record<string, unknown>>,
    second as unknown as Readonly<Record<string, unknown>>,
  ];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]),
  );
}
