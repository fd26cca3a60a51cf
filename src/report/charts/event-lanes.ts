import type { ChartSpec } from "../draw-chart.ts";
import type { RoundSpan } from "./frame.ts";
import { frame, leftRoom, roundAxis, zoom } from "./frame.ts";

/** One thing that happened at a round. */
export interface Mark {
  readonly lane: string;
  readonly round: number;
  readonly turn: number;
  /** `failed` is drawn as a cross. */
  readonly shape: "acted" | "failed";
  readonly what: string;
}

export interface Lane {
  readonly name: string;
  readonly color: string;
}

/** A lane for each thing that can happen, a mark where it did: to be read under the context chart. */
export function eventLanes(span: RoundSpan, lanes: readonly Lane[], marks: readonly Mark[]): ChartSpec {
  const names = lanes.map((lane) => lane.name);
  const y = { field: "lane", type: "nominal", scale: { domain: names }, title: null };
  return {
    ...frame,
    height: 31 * Math.max(lanes.length, 1),
    layer: [
      {
        data: { values: lanes.map((lane) => ({ lane: lane.name })) },
        encoding: {
          y: {
            ...y,
            axis: { labels: false, ticks: false, domain: false, grid: false, minExtent: leftRoom, maxExtent: leftRoom },
          },
        },
        layer: [
          { mark: { type: "rule", color: "var(--grid)", yOffset: 6 } },
          {
            mark: {
              type: "text",
              align: "left",
              baseline: "middle",
              fontSize: 11.5,
              color: "var(--muted)",
              yOffset: -7,
            },
            encoding: { x: { value: 0 }, text: { field: "lane" } },
          },
        ],
      },
      {
        params: [zoom],
        data: { values: marks },
        mark: {
          type: "point",
          filled: true,
          size: 75,
          opacity: 0.9,
          yOffset: 6,
          cursor: "pointer",
          clip: true,
          stroke: "var(--card)",
          strokeWidth: 0.8,
        },
        encoding: {
          x: roundAxis(span, "round"),
          y,
          shape: {
            field: "shape",
            type: "nominal",
            scale: { domain: ["acted", "failed"], range: ["circle", cross] },
            legend: null,
          },
          color: {
            field: "lane",
            type: "nominal",
            scale: { domain: names, range: lanes.map((lane) => lane.color) },
            legend: null,
          },
          tooltip: [
            { field: "lane", title: "kind" },
            { field: "what", title: "what" },
            { field: "round", title: "round", format: "," },
            { field: "turn", title: "turn", format: "," },
          ],
        },
      },
    ],
  } as ChartSpec;
}

/** An x of two bars, in a box of 2 by 2 around the origin. */
const cross = "M-1,-.6L-.6,-1L0,-.4L.6,-1L1,-.6L.4,0L1,.6L.6,1L0,.4L-.6,1L-1,.6L-.4,0Z";
