import { growthFigures, tooSteep } from "./bench/growth.ts";
import { changeBars } from "./charts/change-bars.ts";
import type { Figure } from "./figure.ts";
import { figure } from "./figure.ts";
import { count, list, shortTime, trim, whole } from "./figures-of-speech.ts";
import type { Html } from "./html.ts";
import { html } from "./html.ts";
import type { BenchInput, BenchRow } from "./input.ts";
import { page } from "./page.ts";
import { table } from "./table.ts";

/** The page of a bench, as HTML bytes that depend on nothing but the input (R1). */
export async function renderBenchPage(input: BenchInput): Promise<string> {
  return page({
    title: input.title ?? "longhaul: hot paths, measured",
    crumbs: html`longhaul: bench`,
    verdict: verdict(input),
    sections: [
      { id: "timings", heading: "Timings", lead: "", body: [timings(input)] },
      { id: "growth", heading: "Growth", lead: "", body: await growthFigures(input.rows) },
      ...(input.rows.some((row) => row.change !== undefined)
        ? [{ id: "change", heading: "Change", lead: "", body: [await changeFigure(input)] }]
        : []),
    ],
    environment: input.environment,
  });
}

function verdict({ rows, baseline }: BenchInput): Html {
  const is = (word: BenchRow["verdict"]): BenchRow[] => rows.filter((row) => row.verdict === word);
  const slower = is("slower");
  const steep = tooSteep(rows);
  const good = slower.length === 0 && steep.length === 0;
  const words = (["faster", "slower", "same", "not comparable"] as const)
    .map((word) => `${is(word).length} ${word}`)
    .filter((text) => !text.startsWith("0 "));
  const parts = [
    words.length === 0 ? `${count(rows.length, "timing")}, no baseline to compare with` : list(words),
    steep.length > 0 && `${steep.length} ${steep.length === 1 ? "grows" : "grow"} faster than declared`,
  ].filter((part) => part !== false);
  const detail =
    slower.length > 0
      ? `Slower: ${list([...new Set(slower.map((row) => row.name))])}.`
      : "Nothing is slower than the baseline beyond the noise of the measurement.";
  return html`<div class="verdict${!good && " bad"}" role="status">
<div class="word">${good ? "✓" : "✗"} ${parts.join("; ")}</div>
<p>${words.length === 0 ? "" : detail}${steep.length > 0 ? ` Grows faster than declared: ${list(steep.map((row) => row.name))}.` : ""}${baseline === undefined ? "" : ` Compared with ${baseline}.`}</p>
</div>`;
}

function timings({ rows }: BenchInput): Html {
  const compared = rows.some((row) => row.verdict !== undefined);
  const figures = ["Messages", "Median", "Interval of the median", "99th percentile", "Calls per second"];
  return html`<div class="card">${table({
    caption: "Time of one call; each subject's result was checked before it was timed",
    columns: [
      { name: "Subject" },
      ...figures.map((name) => ({ name, numeric: true as const })),
      ...(compared ? [{ name: "Change", numeric: true as const }, { name: "Verdict" }] : []),
    ],
    rows: rows.map((row) => [
      row.name,
      whole(row.n),
      shortTime(row.median),
      `${shortTime(row.low)} – ${shortTime(row.high)}`,
      shortTime(row.p99),
      whole(row.opsPerSecond),
      ...(compared ? [row.change === undefined ? "–" : signed(row.change), verdictChip(row.verdict)] : []),
    ]),
  })}</div>`;
}

function verdictChip(verdict: BenchRow["verdict"]): Html {
  const look = { faster: "good", slower: "bad", same: "", "not comparable": "warn" } as const;
  return verdict === undefined ? html`–` : html`<span class="chip ${look[verdict]}">${verdict}</span>`;
}

async function changeFigure({ rows, baseline }: BenchInput): Promise<Figure> {
  const compared = rows.flatMap(({ name, n, change, verdict }) =>
    change === undefined ? [] : [{ row: `${name}, ${whole(n)}`, change, verdict: verdict ?? "not comparable" }],
  );
  const worst = [...compared].sort((a, b) => b.change - a.change)[0];
  return figure({
    id: "bench-change",
    conclusion:
      worst === undefined || worst.change <= 0
        ? "Nothing became slower."
        : `The largest rise is ${signed(worst.change)}: ${worst.row}.`,
    reading: `Change of the median against ${baseline ?? "the baseline"}; orange is slower, blue is faster, grey is within the noise.`,
    spec: changeBars(
      "← faster, change of the median, slower →",
      compared.map((row) => ({ ...row, verdict: asChange[row.verdict] })),
    ),
    table: {
      caption: "Change of the median",
      columns: [{ name: "Subject and size" }, { name: "Change", numeric: true }, { name: "Verdict" }],
      rows: compared.map((row) => [row.row, signed(row.change), row.verdict]),
    },
  });
}

const asChange = { faster: "better", slower: "worse", same: "same", "not comparable": "not comparable" } as const;

function signed(share: number): string {
  return `${share > 0 ? "+" : ""}${trim(share * 100, 1)}\u00a0%`;
}
