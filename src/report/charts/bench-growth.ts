import type { ChartSpec } from "../draw-chart.ts";
import { frame, tokenAxis } from "./frame.ts";

export interface TimingPoint {
  readonly name: string;
  readonly n: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** The median with its unit. */
  readonly time: string;
}

/** Time of a call against the size of the input, both logarithmic: a straight line whose slope is the exponent. */
export function benchGrowth(
  names: readonly string[],
  colors: readonly string[],
  points: readonly TimingPoint[],
): ChartSpec {
  const x = {
    field: "n",
    type: "quantitative",
    scale: { type: "log", nice: false, padding: 12 },
    title: "size of the input, messages",
    axis: { ...tokenAxis, values: [...new Set(points.map((point) => point.n))] },
  };
  const y = {
    field: "median",
    type: "quantitative",
    scale: { type: "log", nice: true },
    title: "median time of a call",
    axis: { labelExpr: timeLabel, values: decades(points) },
  };
  const color = { field: "name", type: "nominal", scale: { domain: names, range: colors }, legend: null };
  return {
    ...frame,
    height: 340,
    params: [{ name: "shown", value: names }],
    data: { values: points },
    transform: [{ filter: "indexof(shown, datum.name) >= 0" }],
    encoding: { x, y, color },
    layer: [
      {
        mark: { type: "rule", strokeWidth: 2, opacity: 0.5 },
        encoding: { y: { ...y, field: "low" }, y2: { field: "high" } },
      },
      { mark: { type: "line", strokeWidth: 2 } },
      {
        mark: { type: "point", filled: true, size: 55, opacity: 1 },
        encoding: {
          shape: { field: "name", type: "nominal", scale: { domain: names }, legend: null },
          tooltip: [
            { field: "name" },
            { field: "n", title: "messages", format: "," },
            { field: "time", title: "median" },
          ],
        },
      },
    ],
  } as ChartSpec;
}

/** Powers of ten from below the least to above the largest, ms. */
function decades(points: readonly TimingPoint[]): number[] {
  const least = Math.min(...points.map((point) => point.low));
  const largest = Math.max(...points.map((point) => point.high));
  const all = Array.from({ length: 14 }, (_, index) => Number(`1e${index - 7}`));
  return all.filter((value) => value * 10 > least && value < largest * 10);
}

const timeLabel =
  "datum.value < 0.001 ? format(datum.value * 1000000, '~r') + ' ns' : datum.value < 1 ? format(datum.value * 1000, '~r') + ' µs' : datum.value < 1000 ? format(datum.value, '~r') + ' ms' : format(datum.value / 1000, '~r') + ' s'";
