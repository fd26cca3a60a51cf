import type { BenchRow } from "../report/index.ts";
import type { Baseline } from "./bench-door.ts";
import { left, right, textTable } from "./text-table.ts";

/** The rows of a bench as a table for a terminal, and below it how each subject grows. */
export function benchLines(rows: readonly BenchRow[], baseline: Baseline | null): string[] {
  const table = textTable(
    [
      left("hot path"),
      right("messages"),
      right("median"),
      right("[low high]"),
      right("p99"),
      right("ops/s"),
      right("against baseline"),
    ],
    rows.map((row) => [
      row.name,
      whole(row.n),
      time(row.median),
      `[${time(row.low)} ${time(row.high)}]`,
      time(row.p99),
      whole(row.opsPerSecond),
      comparison(row),
    ]),
  );
  const growth = new Map(rows.flatMap((row) => (row.growth === undefined ? [] : [[row.name, row.growth] as const])));
  return [
    ...table,
    "",
    "growth of time with the number of messages, n^x (declared at most):",
    ...[...growth].map(
      ([name, { exponent, low, high, declared }]) =>
        `  ${name}: x = ${exponent.toFixed(2)} [${low.toFixed(2)} ${high.toFixed(2)}] (${declared})`,
    ),
    baseline === null
      ? "no baseline yet: longhaul bench --update-baseline writes one"
      : `noise floor of the baseline: ±${(baseline.noiseFloor * 100).toFixed(0)} %`,
  ];
}

function comparison({ change, verdict }: BenchRow): string {
  if (change === undefined || verdict === undefined) return "-";
  return `${change >= 0 ? "+" : ""}${(change * 100).toFixed(0)} % ${verdict}`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Milliseconds as what reads best. */
function time(ms: number): string {
  if (ms >= 1) return `${ms.toFixed(2)} ms`;
  if (ms >= 0.001) return `${(ms * 1000).toFixed(1)} µs`;
  return `${(ms * 1_000_000).toFixed(0)} ns`;
}
