import type { Config } from "vega-lite";

/**
 * How every chart looks. Colours are custom properties of the page: one drawing serves light, dark and print.
 * Legends are the page's own (buttons that a keyboard reaches), and the drawing is hidden from screen readers, which get the caption and the table.
 */
export const chartConfig: Config = {
  aria: false,
  background: "transparent",
  font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
  padding: 2,
  view: { stroke: null },
  axis: {
    labelColor: "var(--muted)",
    titleColor: "var(--muted)",
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: "normal",
    gridColor: "var(--grid)",
    domainColor: "var(--line)",
    tickColor: "var(--line)",
    labelOverlap: true,
  },
  axisX: { grid: false, titlePadding: 6 },
  axisY: { domain: false, ticks: false, titleAlign: "left", titleAngle: 0, titleAnchor: "end", titleY: -10, titleX: 0 },
  text: { fontSize: 12, color: "var(--ink)" },
  rule: { color: "var(--muted)" },
};
