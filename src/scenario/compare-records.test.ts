import { expect, test } from "vitest";
import type { RunEvent, RunRecord } from "../simulate/index.ts";
import { firstDifference } from "./compare-records.ts";
import { notDeterministic } from "./determinism-verdict.ts";

const recordOf = (...values: readonly number[]): RunRecord => ({
  header: { transport: String(values.length) } as RunRecord["header"],
  events: values.map(
    (ms, seq) => ({ kind: "user_waited", seq, at: 0, turn: 1, round: seq, querySource: "main", ms }) as RunEvent,
  ),
  footer: { kind: "footer", events: values.length, hash: "", metrics: [], broken: [] },
});

test("D1: equal events are no difference, whatever the headers say", () => {
  expect(firstDifference(recordOf(1, 2), { ...recordOf(1, 2), header: {} as RunRecord["header"] })).toBeNull();
});

test("D1: the first event that differs is named, with its fields", () => {
  expect(firstDifference(recordOf(1, 2, 3), recordOf(1, 5, 4))).toMatchObject({ index: 1, fields: ["ms"] });
  expect(firstDifference(recordOf(1, 2), recordOf(1))).toMatchObject({ index: 1, second: null, fields: [] });
});

test("D1: a run that is not deterministic says so before anything else it failed", () => {
  const difference = firstDifference(recordOf(1), recordOf(2));
  if (difference === null) throw new Error("no difference");
  const verdict = notDeterministic(
    { file: "x.yaml", variant: "" } as never,
    3,
    { kind: "expectation-not-met", failures: [], sometimes: {} },
    difference,
  );
  expect(verdict).toMatchObject({
    kind: "not-deterministic",
    failures: [
      {
        what: "event 0 differs between two runs in ms",
        replay: "npx longhaul run x.yaml --seed 3 --check-determinism",
      },
    ],
  });
});
