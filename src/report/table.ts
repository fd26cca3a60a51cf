import type { Html } from "./html.ts";
import { html } from "./html.ts";

export interface TableInput {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | number | Html)[])[];
}

export interface Column {
  readonly name: string;
  /** Figures stand to the right. */
  readonly numeric?: true;
}

const mostRows = 200;

/** A table that scrolls by itself where it is too wide. Past 200 rows it is thinned evenly, first and last kept, and says so. */
export function table(input: TableInput): Html {
  const rows = thinned(input.rows);
  const caption =
    rows.length === input.rows.length
      ? input.caption
      : `${input.caption} (${rows.length} of ${input.rows.length} rows, evenly thinned)`;
  const cell = (content: string | number | Html, index: number): Html => {
    const numeric = input.columns[index]?.numeric === true;
    if (index === 0) return html`<th scope="row"${numeric && html` class="n"`}>${content}</th>`;
    return html`<td${numeric && html` class="n"`}>${content}</td>`;
  };
  return html`<div class="scroll" role="region" aria-label="${input.caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${input.columns.map((c) => html`<th scope="col"${c.numeric === true && html` class="n"`}>${c.name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody></table></div>`;
}

function thinned<T>(rows: readonly T[]): readonly T[] {
  if (rows.length <= mostRows) return rows;
  const step = (rows.length - 1) / (mostRows - 1);
  return Array.from({ length: mostRows }, (_, index) => rows[Math.round(index * step)] as T);
}
