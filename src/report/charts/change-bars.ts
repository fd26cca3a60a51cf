import type { ChartSpec } from "../draw-chart.ts";
import { frame } from "./frame.ts";

export interface ChangeRow {
  readonly row: string;
  /** 0.1 is a tenth more. */
  readonly change: number;
  readonly verdict: ChangeVerdict;
}

export type ChangeVerdict = "better" | "worse" | "same" | "not comparable";

const colors: Readonly<Record<ChangeVerdict, string>> = {
  better: "var(--c-assistant)",
  worse: "var(--c-alarm)",
  same: "var(--c-system)",
  "not comparable": "var(--c-tools)",
};

/** Changes against what was before: left is less, right is more. */
export function changeBars(axisTitle: string, rows: readonly ChangeRow[]): ChartSpec {
  const reach = Math.max(0.05, ...rows.map((row) => Math.abs(row.change))) * 1.1;
  return {
    ...frame,
    padding: { ...frame.padding, top: 4 },
    height: 21 * Math.max(rows.length, 1),
    data: { values: rows },
    mark: { type: "bar", height: 12 },
    encoding: {
      y: {
        field: "row",
        type: "nominal",
        scale: { domain: rows.map((row) => row.row) },
        title: null,
        axis: {
          grid: false,
          ticks: false,
          domain: false,
          labelColor: "var(--ink)",
          labelLimit: 240,
          labelOverlap: false,
        },
      },
      x: {
        field: "change",
        type: "quantitative",
        title: axisTitle,
        scale: { domain: [-reach, reach], nice: false },
        axis: { format: "+.0%", labelExpr: "datum.value === 0 ? '0' : datum.label", grid: true, tickCount: 8 },
      },
      color: {
        field: "verdict",
        type: "nominal",
        scale: { domain: Object.keys(colors), range: Object.values(colors) },
        legend: null,
      },
      tooltip: [{ field: "row" }, { field: "change", format: "+.1%" }, { field: "verdict" }],
    },
  } as ChartSpec;
}
