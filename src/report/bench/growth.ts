import { benchGrowth } from "../charts/bench-growth.ts";
import { groupBy } from "../counting.ts";
import type { Figure } from "../figure.ts";
import { figure } from "../figure.ts";
import { shortTime, trim, whole } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { BenchRow } from "../input.ts";
import { seriesColors } from "../series-colors.ts";
import { table } from "../table.ts";

/** One row for each name whose fitted exponent, at the low end of its interval, is above what is declared. */
export function tooSteep(rows: readonly BenchRow[]): BenchRow[] {
  return firstOfEach(rows).filter(({ growth }) => growth !== undefined && growth.low > growth.declared);
}

function firstOfEach(rows: readonly BenchRow[]): BenchRow[] {
  return [...groupBy(rows, (row) => row.name).values()].flatMap((group) => group.slice(0, 1));
}

/** How time grows with size: the chart, and the fitted exponents where there are any. */
export async function growthFigures(rows: readonly BenchRow[]): Promise<(Figure | Html)[]> {
  const names = [...groupBy(rows, (row) => row.name).keys()];
  const colors = names.map((_, index) => seriesColors[index % seriesColors.length] ?? "");
  const fitted = firstOfEach(rows).flatMap(({ name, growth }) => (growth === undefined ? [] : [{ name, ...growth }]));
  const steepest = [...fitted].sort((a, b) => b.exponent - a.exponent)[0];
  const conclusion =
    steepest === undefined
      ? "Time of a call against the size of its input."
      : `The steepest is “${steepest.name}”: its time grows with n to the power of ${trim(steepest.exponent, 2)}.`;
  const chart = await figure({
    id: "bench-growth",
    conclusion,
    reading:
      "Both axes are logarithmic: flat means that size does not matter, a slope of one that time grows with size. The bar at a point is the interval of the median.",
    spec: benchGrowth(
      names,
      colors,
      rows.map(({ name, n, median, low, high }) => ({ name, n, median, low, high, time: shortTime(median) })),
    ),
    legend: names.map((name, index) => ({ value: name, label: name, color: colors[index] ?? "" })),
    table: {
      caption: "Median time by subject and size",
      columns: [{ name: "Subject" }, { name: "Messages", numeric: true }, { name: "Median", numeric: true }],
      rows: rows.map((row) => [row.name, whole(row.n), shortTime(row.median)]),
    },
  });
  return fitted.length === 0 ? [chart] : [chart, exponents(fitted)];
}

function exponents(fitted: readonly (NonNullable<BenchRow["growth"]> & { readonly name: string })[]): Html {
  return html`<div class="card">${table({
    caption: "Fitted exponent of time against size; it fails when its whole interval is above what is declared",
    columns: [
      { name: "Subject" },
      { name: "Exponent", numeric: true },
      { name: "Interval", numeric: true },
      { name: "Declared at most", numeric: true },
      { name: "Verdict" },
    ],
    rows: fitted.map(({ name, exponent, low, high, declared }) => [
      name,
      trim(exponent, 2),
      `${trim(low, 2)} – ${trim(high, 2)}`,
      trim(declared, 2),
      low > declared
        ? html`<span class="chip bad">✗ grows faster</span>`
        : html`<span class="chip good">✓ as declared</span>`,
    ]),
  })}</div>`;
}
