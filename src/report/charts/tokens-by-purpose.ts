import type { ChartSpec } from "../draw-chart.ts";
import { frame, tokenAxis } from "./frame.ts";

export interface PurposeBar {
  readonly purpose: string;
  readonly kind: string;
  readonly tokens: number;
}

/** Kinds of billed tokens, dearest to cheapest for input, then output. */
export const billedKinds = [
  { value: "uncached", label: "Input, not cached", color: "var(--c-uncached)" },
  { value: "write", label: "Cache write", color: "var(--c-write)" },
  { value: "read", label: "Cache read", color: "var(--c-read)" },
  { value: "output", label: "Output", color: "var(--c-output)" },
] as const;

/** Billed tokens by purpose, stacked by kind. */
export function tokensByPurpose(purposes: readonly string[], bars: readonly PurposeBar[]): ChartSpec {
  const kinds = billedKinds.map((k) => k.value);
  return {
    ...frame,
    padding: { ...frame.padding, top: 4, right: 14 },
    height: 34 * Math.max(purposes.length, 1),
    params: [{ name: "shown", value: kinds }],
    data: { values: bars },
    transform: [
      { filter: "indexof(shown, datum.kind) >= 0" },
      { calculate: `indexof(${JSON.stringify(kinds)}, datum.kind)`, as: "place" },
    ],
    mark: { type: "bar", height: 20 },
    encoding: {
      y: {
        field: "purpose",
        type: "nominal",
        scale: { domain: purposes },
        title: null,
        axis: { grid: false, ticks: false, domain: false, labelColor: "var(--ink)" },
      },
      x: {
        field: "tokens",
        type: "quantitative",
        stack: "zero",
        title: "tokens billed",
        axis: { ...tokenAxis, grid: true, tickCount: 6 },
      },
      color: {
        field: "kind",
        type: "nominal",
        scale: { domain: kinds, range: billedKinds.map((k) => k.color) },
        legend: null,
      },
      order: { field: "place", type: "quantitative" },
      tooltip: [{ field: "purpose" }, { field: "kind" }, { field: "tokens", format: "," }],
    },
  } as ChartSpec;
}
