import { parse, View } from "vega";
import type { TopLevelSpec } from "vega-lite";
import { compile } from "vega-lite";
import { chartConfig } from "./chart-theme.ts";

/** A chart as Vega-Lite: without size of its own, colours as custom properties of the page's style sheet. */
export type ChartSpec = TopLevelSpec;

/** Width in px of the drawing that needs no script; the page's script draws again at the width there is. */
const drawnWidth = 1000;

/**
 * The chart as an SVG text, drawn without a browser. The same spec gives the same text whatever was drawn before:
 * Vega numbers its clip paths and gradients by a counter of the process, so they are numbered again here, under `id`,
 * which also keeps the drawings of one page apart.
 */
export async function drawChart(id: string, spec: ChartSpec): Promise<string> {
  const { spec: vegaSpec } = compile({ ...spec, width: drawnWidth } as ChartSpec, { config: chartConfig });
  const view = new View(parse(vegaSpec), { renderer: "none" });
  try {
    return lighten(renumber(id, await view.toSVG()));
  } finally {
    view.finalize();
  }
}

function renumber(id: string, svg: string): string {
  const names = new Map<string, string>();
  const rename = (name: string): string => {
    const known = names.get(name) ?? `${id}-def-${names.size}`;
    names.set(name, known);
    return known;
  };
  return svg
    .replace(/\b(?:clip|gradient_)\d+\b(?=[")])/g, rename)
    .replace(
      /<svg [^>]*?(viewBox="[^"]*")[^>]*>/,
      '<svg xmlns="http://www.w3.org/2000/svg" $1 aria-hidden="true" focusable="false">',
    );
}

/** Without what a drawing does not show: invisible marks, decimals below a hundredth of a pixel, roles (the drawing is hidden from screen readers), a font named at every text (the page's style says it). */
function lighten(svg: string): string {
  return svg
    .replace(/<(?:line|path) [^>]*(?: opacity="0"| display="none")\/>/g, "")
    .replace(/ (?:d|transform|x2|y2|width|height)="[^"]*"/g, (attribute) =>
      attribute.replace(/\d+\.\d{3,}/g, (figure) => String(Number(Number(figure).toFixed(2)))),
    )
    .replace(/ (?:role="graphics-[a-z]+"|aria-roledescription="[^"]*"|font-family="[^"]*")/g, "");
}
