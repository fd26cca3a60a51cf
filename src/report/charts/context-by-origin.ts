import type { ChartSpec } from "../draw-chart.ts";
import type { OriginName } from "../origins.ts";
import { origins } from "../origins.ts";
import type { RoundSpan } from "./frame.ts";
import { frame, leftRoom, roundAxis, tokenAxis, zoom } from "./frame.ts";

/** The context of the last main request of a round, tokens as the client estimates them. */
export type ContextPoint = {
  /** As the server counted that request; null where it never saw it. */
  readonly trueTokens: number | null;
  readonly round: number;
  readonly turn: number;
  readonly total: number;
} & Readonly<Record<OriginName, number>>;

export interface ThresholdLine {
  readonly label: string;
  readonly tokens: number;
  /** Only the automatic one and the window are drawn strong. */
  readonly strong: boolean;
}

/** A compaction: the context fell from `before` to `after` tokens. */
export interface Fall {
  readonly round: number;
  readonly turn: number;
  readonly before: number;
  readonly after: number;
  readonly what: string;
}

export interface ContextChartInput {
  readonly span: RoundSpan;
  readonly points: readonly ContextPoint[];
  readonly lines: readonly ThresholdLine[];
  readonly falls: readonly Fall[];
}

const height = 320;

/** Colour of the line of the server's own count. */
export const trueColor = "var(--c-alarm)";

/** Context size over rounds, stacked by origin, under the threshold lines. */
export function contextByOrigin({ span, points, lines, falls }: ContextChartInput): ChartSpec {
  const peak = Math.max(...points.map((p) => Math.max(p.total, p.trueTokens ?? 0)), ...falls.map((f) => f.before), 1);
  const top = Math.max(...lines.map((l) => l.tokens).filter((tokens) => tokens < peak * 3), peak) * 1.03;
  const drawn = lines.filter((line) => line.tokens <= top);
  const y = {
    scale: { domain: [0, top], nice: false },
    axis: { ...tokenAxis, minExtent: leftRoom, maxExtent: leftRoom },
  };
  const names = origins.map((o) => o.value);
  return {
    ...frame,
    height,
    params: [{ name: "shown", value: names }],
    layer: [
      {
        params: [zoom],
        data: { values: points },
        transform: [
          { fold: names, as: ["origin", "tokens"] },
          { filter: "indexof(shown, datum.origin) >= 0" },
          { calculate: `indexof(${JSON.stringify(names)}, datum.origin)`, as: "place" },
        ],
        mark: { type: "area", interpolate: "step-after", clip: true },
        encoding: {
          x: roundAxis(span, "round"),
          y: { field: "tokens", type: "quantitative", stack: "zero", title: "tokens", ...y },
          color: {
            field: "origin",
            type: "nominal",
            scale: { domain: names, range: origins.map((o) => o.color) },
            legend: null,
          },
          order: { field: "place", type: "quantitative" },
        },
      },
      {
        data: { values: spread(drawn, top) },
        encoding: { y: { field: "tokens", type: "quantitative" } },
        layer: [
          { transform: [{ filter: "datum.strong" }], mark: { type: "rule", color: "var(--ink)", strokeWidth: 1.5 } },
          {
            transform: [{ filter: "!datum.strong" }],
            mark: { type: "rule", color: "var(--ink)", strokeDash: [4, 4], opacity: 0.65 },
          },
          label({ stroke: "var(--card)", strokeWidth: 3, strokeJoin: "round" }),
          label({}),
        ],
      },
      {
        data: { values: points.filter((point) => point.trueTokens !== null) },
        encoding: {
          x: { field: "round", type: "quantitative" },
          y: { field: "trueTokens", type: "quantitative" },
        },
        layer: [
          { mark: { type: "line", interpolate: "step-after", clip: true, color: "var(--card)", strokeWidth: 3.5 } },
          { mark: { type: "line", interpolate: "step-after", clip: true, color: trueColor, strokeWidth: 1.8 } },
        ],
      },
      {
        data: { values: falls },
        encoding: { x: { field: "round", type: "quantitative" }, y: { field: "before", type: "quantitative" } },
        layer: [
          {
            mark: { type: "rule", color: "var(--ink)", strokeWidth: 1.5, clip: true },
            encoding: { y2: { field: "after" } },
          },
          {
            mark: {
              type: "point",
              shape: "triangle-down",
              filled: true,
              size: 70,
              color: "var(--ink)",
              opacity: 1,
              clip: true,
              cursor: "pointer",
            },
            encoding: {
              tooltip: [{ field: "what", title: "compaction" }, ...wholes(["round", "turn", "before", "after"])],
            },
          },
        ],
      },
      {
        data: {
          values: points.map((point, index) => ({ ...point, until: points[index + 1]?.round ?? span.last + 1 })),
        },
        mark: { type: "rect", color: "var(--ink)", clip: true, cursor: "pointer" },
        params: [{ name: "hover", select: { type: "point", on: "pointerover", clear: "pointerout" } }],
        encoding: {
          x: { field: "round", type: "quantitative" },
          x2: { field: "until" },
          opacity: { condition: { param: "hover", empty: false, value: 0.16 }, value: 0 },
          tooltip: [
            ...wholes(["round", "turn"]),
            { field: "trueTokens", title: "as the server counts, tokens", format: "," },
            { field: "total", title: "estimated, tokens", format: "," },
            ...[...origins].reverse().map((o) => ({ field: o.value, title: o.label, format: "," })),
          ],
        },
      },
    ],
  } as ChartSpec;
}

/** The name of a line, above its left end, where a session is still small; drawn twice, first as a rim that keeps it readable over the areas. */
function label(rim: object): object {
  return {
    mark: { type: "text", align: "left", baseline: "bottom", dx: 5, dy: -2, fontSize: 11.5, clip: false, ...rim },
    encoding: {
      x: { value: 0 },
      y: { field: "labelAt", type: "quantitative" },
      text: { field: "label", type: "nominal" },
    },
  };
}

function wholes(fields: readonly string[]): object[] {
  return fields.map((field) => ({ field, format: ",", title: field }));
}

/** Labels need 13 px each: where lines lie closer, the labels move apart, the highest line's stays. */
function spread(lines: readonly ThresholdLine[], top: number): object[] {
  const gap = (13 / height) * top;
  let free = Number.POSITIVE_INFINITY;
  return [...lines]
    .sort((a, b) => b.tokens - a.tokens)
    .map((line) => {
      free = Math.min(line.tokens, free - gap);
      return { ...line, labelAt: free };
    });
}
