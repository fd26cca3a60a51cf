import type { ChartSpec } from "../draw-chart.ts";
import { frame } from "./frame.ts";

export interface RunCost {
  readonly run: string;
  readonly href: string;
  readonly source: string;
  readonly dollars: number;
  readonly price: string;
}

export interface CostSource {
  readonly value: string;
  readonly label: string;
  readonly color: string;
}

/** Price of each run, stacked by what it was paid for. */
export function costByRun(
  runs: readonly string[],
  sources: readonly CostSource[],
  costs: readonly RunCost[],
): ChartSpec {
  const names = sources.map((source) => source.value);
  return {
    ...frame,
    padding: { ...frame.padding, top: 4 },
    height: 21 * Math.max(runs.length, 1),
    params: [{ name: "shown", value: names }],
    data: { values: costs },
    transform: [
      { filter: "indexof(shown, datum.source) >= 0" },
      { calculate: `indexof(${JSON.stringify(names)}, datum.source)`, as: "place" },
    ],
    mark: { type: "bar", height: 14, cursor: "pointer" },
    encoding: {
      y: {
        field: "run",
        type: "nominal",
        scale: { domain: runs },
        title: null,
        axis: {
          grid: false,
          ticks: false,
          domain: false,
          labelColor: "var(--ink)",
          labelLimit: 220,
          labelOverlap: false,
        },
      },
      x: {
        field: "dollars",
        type: "quantitative",
        stack: "zero",
        title: "dollars",
        axis: { format: "$~f", grid: true },
      },
      color: {
        field: "source",
        type: "nominal",
        scale: { domain: names, range: sources.map((source) => source.color) },
        legend: null,
      },
      order: { field: "place", type: "quantitative" },
      tooltip: [{ field: "run" }, { field: "source", title: "for" }, { field: "price" }],
    },
  } as ChartSpec;
}
