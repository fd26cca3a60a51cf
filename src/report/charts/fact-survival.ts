import type { ChartSpec } from "../draw-chart.ts";
import { frame } from "./frame.ts";

/** What was left of the facts of one kind after one compaction. */
export interface SurvivalCell {
  readonly kind: string;
  /** 1 for the first compaction. */
  readonly compaction: number;
  readonly round: number;
  readonly turn: number;
  readonly alive: number;
  readonly visible: number;
  /** Gone, but can be read again. */
  readonly fetchable: number;
  readonly share: number;
}

const steps = [
  { value: "under 20 %", color: "var(--h0)" },
  { value: "20 to 40 %", color: "var(--h1)" },
  { value: "40 to 60 %", color: "var(--h2)" },
  { value: "60 to 80 %", color: "var(--h3)" },
  { value: "80 to 99 %", color: "var(--h4)" },
  { value: "all", color: "var(--h5)" },
] as const;

/** The steps of the colour scale, worst first, for the legend. */
export const survivalSteps: typeof steps = steps;

/** A cell for each kind of fact and compaction: how many of those alive can still be seen. */
export function factSurvival(kinds: readonly string[], cells: readonly SurvivalCell[]): ChartSpec {
  const columns = new Set(cells.map((cell) => cell.compaction)).size;
  const step = (share: number): string =>
    share >= 1 ? "all" : (steps[Math.min(4, Math.floor(share * 5))]?.value ?? "");
  return {
    ...frame,
    padding: { ...frame.padding, top: 4, right: 8 },
    height: 26 * Math.max(kinds.length, 1),
    params: [{ name: "shown", value: steps.map((s) => s.value) }],
    data: { values: cells.map((cell) => ({ ...cell, step: step(cell.share), text: `${cell.visible}/${cell.alive}` })) },
    transform: [{ filter: "indexof(shown, datum.step) >= 0" }],
    encoding: {
      x: {
        field: "compaction",
        type: "ordinal",
        title: "compaction",
        axis: { labelAngle: 0, ticks: false, domain: false },
      },
      y: {
        field: "kind",
        type: "nominal",
        scale: { domain: kinds },
        title: null,
        axis: { grid: false, ticks: false, domain: false, labelColor: "var(--ink)" },
      },
    },
    layer: [
      {
        mark: { type: "rect", stroke: "var(--card)", strokeWidth: 1.5, cursor: "pointer" },
        encoding: {
          color: {
            field: "step",
            type: "nominal",
            scale: { domain: steps.map((s) => s.value), range: steps.map((s) => s.color) },
            legend: null,
          },
          tooltip: [
            { field: "kind", title: "kind of fact" },
            { field: "compaction" },
            { field: "alive" },
            { field: "visible", title: "still visible" },
            { field: "fetchable", title: "gone, can be read again" },
            { field: "share", format: ".0%" },
            { field: "turn", format: "," },
            { field: "round", format: "," },
          ],
        },
      },
      ...(columns <= 16
        ? [{ mark: { type: "text", color: "var(--on-heat)", fontSize: 11 }, encoding: { text: { field: "text" } } }]
        : []),
    ],
  } as ChartSpec;
}
