import type { ChartSpec } from "../draw-chart.ts";
import type { RoundSpan } from "./frame.ts";
import { frame, leftRoom, roundAxis, zoom } from "./frame.ts";

export interface ErrorPoint {
  readonly round: number;
  readonly turn: number;
  readonly estimate: number;
  readonly trueTokens: number;
  /** estimate / true - 1. */
  readonly error: number;
}

/** How far the client's estimate was off, over rounds; `band` is where nine of ten lie. */
export function estimateError(
  span: RoundSpan,
  points: readonly ErrorPoint[],
  band: readonly [number, number],
): ChartSpec {
  const reach = Math.max(0.05, ...points.map((p) => Math.abs(p.error))) * 1.1;
  const y = {
    scale: { domain: [-reach, reach] },
    axis: {
      format: "+.0%",
      labelExpr: "datum.value === 0 ? '0' : datum.label",
      tickCount: 5,
      minExtent: leftRoom,
      maxExtent: leftRoom,
    },
  };
  return {
    ...frame,
    height: 150,
    layer: [
      {
        data: { values: [{ low: band[0], high: band[1] }] },
        mark: { type: "rect", color: "var(--c-read)", opacity: 0.22 },
        encoding: {
          y: { field: "low", type: "quantitative", title: "estimate against true count", ...y },
          y2: { field: "high" },
        },
      },
      {
        data: { values: [{ zero: 0 }] },
        mark: { type: "rule", color: "var(--muted)" },
        encoding: { y: { field: "zero", type: "quantitative" } },
      },
      {
        params: [zoom],
        data: { values: points },
        mark: {
          type: "line",
          color: "var(--c-assistant)",
          strokeWidth: 1.5,
          clip: true,
          point: { size: 14, color: "var(--c-assistant)" },
        },
        encoding: {
          x: roundAxis(span, "round"),
          y: { field: "error", type: "quantitative" },
          tooltip: [
            { field: "round", format: "," },
            { field: "turn", format: "," },
            { field: "error", title: "error", format: "+.1%" },
            { field: "estimate", title: "estimate, tokens", format: "," },
            { field: "trueTokens", title: "true, tokens", format: "," },
          ],
        },
      },
    ],
  } as ChartSpec;
}
