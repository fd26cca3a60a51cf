import type { CostSource } from "../charts/cost-by-run.ts";
import { costByRun } from "../charts/cost-by-run.ts";
import { groupBy, quantile, sum } from "../counting.ts";
import type { Billed } from "../digest.ts";
import { addBills, cacheHit } from "../digest.ts";
import type { Figure } from "../figure.ts";
import { figure } from "../figure.ts";
import { count, dollars, percent } from "../figures-of-speech.ts";
import type { Section } from "../page.ts";
import { tokensFigure } from "../run/cost-section.ts";
import { purposeOf } from "../run/names.ts";
import type { JudgedRun } from "./judged-run.ts";

const colors: Readonly<Record<string, string>> = {
  main: "var(--c-assistant)",
  compact: "var(--c-summaries)",
  session_memory: "var(--c-attachments)",
  context_collapse: "var(--c-user)",
};

/** What the suite cost, run by run, and how the prompt cache served it. */
export async function suiteCostSection(runs: readonly JudgedRun[]): Promise<Section> {
  const billedBySource = new Map<string, Billed>();
  const all = runs.flatMap((run) => [...run.figures.billedBySource]);
  for (const [source, bills] of groupBy(all, ([name]) => name))
    billedBySource.set(source, addBills(bills.map(([, bill]) => bill)));
  const billed = addBills([...billedBySource.values()]);
  return {
    id: "cost",
    heading: "Cost and cache",
    lead: "",
    body: [await runsFigure(runs, billed), await tokensFigure({ billed, billedBySource })],
  };
}

const mostRuns = 40;

async function runsFigure(runs: readonly JudgedRun[], billed: Billed): Promise<Figure> {
  const dearest = [...runs].sort((a, b) => b.figures.billed.dollars - a.figures.billed.dollars);
  const drawn = dearest.slice(0, mostRuns);
  const name = (run: JudgedRun): string => `${run.scenario} ${run.seed}`;
  const sources = [...new Set(runs.flatMap((run) => [...run.figures.billedBySource.keys()]))];
  const entries: CostSource[] = sources.map((source) => ({
    value: purposeOf(source),
    label: purposeOf(source),
    color: colors[source] ?? "var(--c-system)",
  }));
  const costs = drawn.flatMap((run) =>
    [...run.figures.billedBySource].map(([source, bill]) => ({
      run: name(run),
      href: run.href,
      source: purposeOf(source),
      dollars: bill.dollars,
      price: dollars(bill.dollars),
    })),
  );
  const aside = sum(runs, (run) => run.figures.billed.dollars - (run.figures.billedBySource.get("main")?.dollars ?? 0));
  const hits = runs.flatMap((run) => cacheHit(run.figures.billed) ?? []);
  const median = quantile(hits, 0.5);
  const worst = quantile(hits, 0);
  const cache =
    median === null || worst === null
      ? ""
      : ` The cache gave ${percent(median)} of the input in the median run, ${percent(worst)} in the worst.`;
  return figure({
    id: "cost-by-run",
    conclusion: `${dollars(billed.dollars)} for ${count(runs.length, "run")}; ${percent(billed.dollars === 0 ? 0 : aside / billed.dollars)} of it for compaction and notes.`,
    reading: `What each run would have cost at list prices${runs.length > mostRuns ? `; the ${mostRuns} dearest of ${runs.length}` : ""}.${cache}`,
    spec: costByRun(drawn.map(name), entries, costs),
    legend: entries,
    table: {
      caption: "Cost and cache by run, dearest first",
      columns: [
        { name: "Run" },
        ...["Cost", "Of it aside from the conversation", "From cache"].map((column) => ({
          name: column,
          numeric: true as const,
        })),
      ],
      rows: dearest.map((run) => {
        const main = run.figures.billedBySource.get("main")?.dollars ?? 0;
        const hit = cacheHit(run.figures.billed);
        return [
          name(run),
          dollars(run.figures.billed.dollars),
          dollars(run.figures.billed.dollars - main),
          hit === null ? "–" : percent(hit),
        ];
      }),
    },
  });
}
