import type { ChartSpec } from "../draw-chart.ts";
import { frame } from "./frame.ts";

export interface FaultRow {
  readonly kind: string;
  readonly runs: number;
  /** Injections in runs that passed, and in runs that failed. */
  readonly passed: number;
  readonly failed: number;
}

/** How often each kind of fault struck, by the outcome of the run. */
export function faultCoverage(rows: readonly FaultRow[]): ChartSpec {
  const outcomes = ["passed", "failed"];
  return {
    ...frame,
    padding: { ...frame.padding, top: 4 },
    height: 21 * Math.max(rows.length, 1),
    params: [{ name: "shown", value: outcomes }],
    data: { values: rows },
    transform: [{ fold: outcomes, as: ["outcome", "times"] }, { filter: "indexof(shown, datum.outcome) >= 0" }],
    mark: { type: "bar", height: 14 },
    encoding: {
      y: {
        field: "kind",
        type: "nominal",
        scale: { domain: rows.map((row) => row.kind) },
        title: null,
        axis: {
          grid: false,
          ticks: false,
          domain: false,
          labelColor: "var(--ink)",
          labelLimit: 200,
          labelOverlap: false,
        },
      },
      x: {
        field: "times",
        type: "quantitative",
        stack: "zero",
        title: "times injected",
        axis: { grid: true, tickMinStep: 1, format: ",d" },
      },
      color: {
        field: "outcome",
        type: "nominal",
        scale: { domain: outcomes, range: ["var(--c-read)", "var(--c-alarm)"] },
        legend: null,
      },
      order: { field: "outcome", type: "nominal", sort: "descending" },
      tooltip: [
        { field: "kind" },
        { field: "outcome", title: "in runs that" },
        { field: "times" },
        { field: "runs", title: "runs struck" },
      ],
    },
  } as ChartSpec;
}
