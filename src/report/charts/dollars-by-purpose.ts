import type { ChartSpec } from "../draw-chart.ts";
import { frame } from "./frame.ts";

export interface DollarBar {
  readonly purpose: string;
  readonly dollars: number;
  readonly label: string;
}

/** Price of the answered requests by purpose, each bar with its figure. */
export function dollarsByPurpose(bars: readonly DollarBar[]): ChartSpec {
  const encoding = {
    y: {
      field: "purpose",
      type: "nominal",
      scale: { domain: bars.map((b) => b.purpose) },
      title: null,
      axis: { grid: false, ticks: false, domain: false, labelColor: "var(--ink)" },
    },
    x: { field: "dollars", type: "quantitative", title: "dollars", axis: { format: "$~f", grid: true, tickCount: 6 } },
    tooltip: [{ field: "purpose" }, { field: "label", title: "price" }],
  };
  return {
    ...frame,
    padding: { ...frame.padding, top: 4, right: 60 },
    height: 34 * Math.max(bars.length, 1),
    data: { values: bars },
    encoding,
    layer: [
      { mark: { type: "bar", height: 20, color: "var(--c-assistant)" } },
      { mark: { type: "text", align: "left", dx: 6 }, encoding: { text: { field: "label" } } },
    ],
  } as ChartSpec;
}
