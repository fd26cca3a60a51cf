import { changeBars } from "../charts/change-bars.ts";
import { groupBy, sum } from "../counting.ts";
import type { Figure } from "../figure.ts";
import { figure } from "../figure.ts";
import { count, dollars } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { CompareInput } from "../input.ts";
import { outcomeChip } from "../outcome.ts";
import type { Section } from "../page.ts";
import { table } from "../table.ts";
import { changeText } from "./measures.ts";
import type { Pair } from "./paired.ts";

/** What changed in each scenario: its price, and the runs whose outcome or memory changed. */
export async function scenarioSection({ before, after }: CompareInput, pairs: readonly Pair[]): Promise<Section> {
  const price = (pair: Pair, side: "before" | "after"): number => pair[side].figures.billed.dollars;
  const rows = [...groupBy(pairs, (pair) => pair.before.scenario)].map(([scenario, group]) => {
    const [older, newer] = [sum(group, (pair) => price(pair, "before")), sum(group, (pair) => price(pair, "after"))];
    const change = older === 0 ? 0 : newer / older - 1;
    const verdict =
      Math.abs(change) <= 0.01 ? ("same" as const) : change < 0 ? ("better" as const) : ("worse" as const);
    return { row: scenario, change, verdict, older, newer };
  });
  return {
    id: "scenarios",
    heading: "Scenario by scenario",
    lead: "",
    body: [await costFigure(rows), runTable(before.name, after.name, pairs)],
  };
}

async function costFigure(
  rows: readonly { row: string; change: number; verdict: "better" | "worse" | "same"; older: number; newer: number }[],
): Promise<Figure> {
  const sorted = [...rows].sort((a, b) => b.change - a.change);
  const times = (word: string): number => rows.filter((row) => row.verdict === word).length;
  return figure({
    id: "cost-change",
    conclusion: `Cost: ${count(times("better"), "scenario")} cheaper, ${times("worse")} dearer, ${times("same")} the same.`,
    reading:
      "Change of the price of all runs of a scenario; orange is dearer, blue is cheaper, grey within a hundredth.",
    spec: changeBars(
      "← cheaper, change of cost, dearer →",
      sorted.map(({ row, change, verdict }) => ({ row, change, verdict })),
    ),
    table: {
      caption: "Cost by scenario",
      columns: [
        { name: "Scenario" },
        { name: "Before", numeric: true },
        { name: "After", numeric: true },
        { name: "Change", numeric: true },
      ],
      rows: sorted.map((row) => [row.row, dollars(row.older), dollars(row.newer), changeText(row.older, row.newer)]),
    },
  });
}

function runTable(older: string, newer: string, pairs: readonly Pair[]): Html {
  const changed = pairs.filter(
    ({ before, after }) => before.outcome !== after.outcome || before.figures.violations !== after.figures.violations,
  );
  if (changed.length === 0) return html`<div class="card"><h3>No run changed its outcome or what it forgot.</h3></div>`;
  return html`<div class="card"><h3>${count(changed.length, "run")} changed in outcome or in what was forgotten.</h3>${table(
    {
      caption: "Runs that changed",
      columns: [
        { name: "Run" },
        { name: older },
        { name: newer },
        { name: "Went wrong, before", numeric: true },
        { name: "After", numeric: true },
      ],
      rows: changed.map(({ name, before, after }) => [
        name,
        outcomeChip(before.outcome),
        outcomeChip(after.outcome),
        before.figures.violations,
        after.figures.violations,
      ]),
    },
  )}</div>`;
}

/** The runs that lost most: newly failed first, then by what was forgotten more, then by cost. */
export function worst(pairs: readonly Pair[]): Section {
  const harm = ({ before, after }: Pair): number =>
    (before.outcome === "passed" && after.outcome !== "passed" ? 1_000 : 0) +
    after.figures.violations -
    before.figures.violations;
  const harmed = pairs
    .filter((pair) => harm(pair) > 0)
    .sort((a, b) => harm(b) - harm(a))
    .slice(0, 10);
  return {
    id: "worst",
    heading: "Worst seeds",
    lead:
      harmed.length === 0
        ? "No run is worse than before: none failed newly, none forgot more."
        : "Where the newer side lost most, and how to see it again.",
    body: harmed.map(({ before, after }) => {
      const replay =
        after.failures[0]?.replay ?? `npx longhaul run scenarios/${after.scenario}.yaml --seed ${after.seed}`;
      return html`<div class="card bad"><h3>${after.scenario}, seed ${after.seed}</h3>
<p>${outcomeChip(before.outcome)} → ${outcomeChip(after.outcome)} went wrong ${before.figures.violations} → ${count(after.figures.violations, "time")}</p><code class="replay">${replay}</code></div>`;
    }),
  };
}
