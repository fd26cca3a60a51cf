import type { ChartSpec } from "./draw-chart.ts";
import { drawChart } from "./draw-chart.ts";
import type { Html } from "./html.ts";
import { html, trusted } from "./html.ts";
import type { TableInput } from "./table.ts";
import { table } from "./table.ts";

/** A chart with all that makes it readable: what to conclude, how to read it, and the same figures as a table. */
export interface FigureInput {
  /** Name in the page: the anchor, and the key of the spec. */
  readonly id: string;
  /** The conclusion, in one sentence with figures. */
  readonly conclusion: string;
  /** How to read the chart. */
  readonly reading: string | Html;
  readonly spec: ChartSpec;
  readonly legend?: readonly LegendEntry[];
  /** Marks that cannot be switched off. */
  readonly keys?: readonly Pick<LegendEntry, "label" | "color">[];
  /** Charts of one group zoom together. */
  readonly zoomGroup?: string;
  readonly table: TableInput;
}

export interface LegendEntry {
  /** Value of the series in the chart's parameter `shown`. */
  readonly value: string;
  readonly label: string;
  readonly color: string;
}

/** A figure ready for the page, and the spec that the page's script draws again. */
export interface Figure {
  readonly id: string;
  readonly markup: Html;
  readonly spec: ChartSpec;
}

export async function figure(input: FigureInput): Promise<Figure> {
  const svg = await drawChart(input.id, input.spec);
  const group = input.zoomGroup === undefined ? null : html` data-group="${input.zoomGroup}"`;
  const markup = html`<figure id="${input.id}">
<figcaption><h3>${input.conclusion}</h3><p>${input.reading}</p></figcaption>
${input.legend === undefined ? null : legend(input.id, input.legend, input.keys ?? [])}
<div class="chart" data-chart="${input.id}"${group} role="img" aria-label="Chart: ${input.conclusion} The table below holds the figures." tabindex="0">${trusted(svg)}</div>
<details><summary>The figures as a table</summary>${table(input.table)}</details>
</figure>`;
  return { id: input.id, markup, spec: input.spec };
}

function legend(id: string, entries: readonly LegendEntry[], keys: NonNullable<FigureInput["keys"]>): Html {
  const key = ({ label, color }: (typeof keys)[number]): Html =>
    html`<li class="key"><span class="swatch line" style="--swatch:${color}"></span>${label}</li>`;
  const item = ({ value, label, color }: LegendEntry): Html =>
    html`<li><button type="button" aria-pressed="true" data-value="${value}"><span class="swatch" style="--swatch:${color}"></span>${label}</button></li>`;
  return html`<ul class="legend" data-for="${id}" aria-label="Series; press one to hide or show it">${entries.map(item)}${keys.map(key)}</ul>`;
}
