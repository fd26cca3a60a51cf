import type { ChartSpec } from "../draw-chart.ts";
import { frame, zoom } from "./frame.ts";

/** A stretch of virtual time in one lane, in the unit of the chart since the start. */
export interface Stretch {
  readonly lane: string;
  readonly from: number;
  readonly to: number;
  readonly turn: number;
  readonly round: number;
  readonly took: string;
}

export interface TimeLane {
  readonly name: string;
  readonly color: string;
}

/** Where the virtual time went: a lane for each thing that takes time. */
export function timeLine(
  lanes: readonly TimeLane[],
  stretches: readonly Stretch[],
  span: { readonly length: number; readonly unit: string },
): ChartSpec {
  const names = lanes.map((lane) => lane.name);
  return {
    ...frame,
    padding: { ...frame.padding, top: 4, right: 14 },
    height: 30 * Math.max(lanes.length, 1),
    data: { values: stretches },
    params: [zoom],
    mark: { type: "bar", height: 16, clip: true, cursor: "pointer", minBandSize: 1 },
    encoding: {
      y: {
        field: "lane",
        type: "nominal",
        scale: { domain: names },
        title: null,
        axis: { grid: false, ticks: false, domain: false, labelColor: "var(--ink)" },
      },
      x: {
        field: "from",
        type: "quantitative",
        title: `virtual time, ${span.unit}`,
        scale: { domain: [0, span.length], nice: false },
        axis: { grid: true, tickCount: 12 },
      },
      x2: { field: "to" },
      color: {
        field: "lane",
        type: "nominal",
        scale: { domain: names, range: lanes.map((lane) => lane.color) },
        legend: null,
      },
      tooltip: [
        { field: "lane", title: "what" },
        { field: "took" },
        { field: "turn", format: "," },
        { field: "round", format: "," },
      ],
    },
  } as ChartSpec;
}
