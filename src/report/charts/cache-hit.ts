import type { ChartSpec } from "../draw-chart.ts";
import type { RoundSpan } from "./frame.ts";
import { frame, leftRoom, roundAxis, zoom } from "./frame.ts";

export interface CachePoint {
  readonly round: number;
  readonly turn: number;
  /** Share of the input that the server's cache gave. */
  readonly share: number;
  readonly read: number;
  readonly write: number;
  readonly uncached: number;
}

/** Share of the input that came from the cache, each main request. */
export function cacheHitChart(span: RoundSpan, points: readonly CachePoint[]): ChartSpec {
  return {
    ...frame,
    height: 130,
    params: [zoom],
    data: { values: points },
    mark: {
      type: "area",
      interpolate: "step-after",
      clip: true,
      color: "var(--c-read)",
      opacity: 0.55,
      line: { color: "var(--c-assistant)", strokeWidth: 1.5, interpolate: "step-after" },
    },
    encoding: {
      x: roundAxis(span, "round"),
      y: {
        field: "share",
        type: "quantitative",
        title: "input from cache",
        scale: { domain: [0, 1] },
        axis: { format: ".0%", tickCount: 5, minExtent: leftRoom, maxExtent: leftRoom },
      },
      tooltip: [
        { field: "round", format: "," },
        { field: "turn", format: "," },
        { field: "share", title: "from cache", format: ".1%" },
        { field: "read", title: "read, tokens", format: "," },
        { field: "write", title: "written, tokens", format: "," },
        { field: "uncached", title: "neither, tokens", format: "," },
      ],
    },
  } as ChartSpec;
}
