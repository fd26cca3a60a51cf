import { factSurvival, survivalSteps } from "../charts/fact-survival.ts";
import { sum } from "../counting.ts";
import { eventsOf } from "../digest.ts";
import type { EventOf, RunEvent, RunRecord } from "../events.ts";
import type { Figure } from "../figure.ts";
import { figure } from "../figure.ts";
import { count, percent } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { Section } from "../page.ts";
import { table } from "../table.ts";
import { turnLink } from "./anchors.ts";
import { kindsOf, survivalCells } from "./census.ts";
import { words } from "./names.ts";

/** What compaction made the agent forget, and what came of it. */
export async function memorySection({ events }: RunRecord): Promise<Section> {
  return {
    id: "memory",
    heading: "Memory",
    lead: "",
    body: [...(await survivalFigure(events)), violations(events)],
  };
}

const mostColumns = 60;

async function survivalFigure(events: readonly RunEvent[]): Promise<Figure[]> {
  const all = survivalCells(events);
  const last = all.at(-1)?.compaction;
  if (last === undefined) return [];
  const step = Math.ceil(last / mostColumns);
  const cells = all.filter((cell) => (last - cell.compaction) % step === 0);
  const final = all.filter((cell) => cell.compaction === last);
  const kinds = kindsOf(events);
  const [alive, visible] = [sum(final, (cell) => cell.alive), sum(final, (cell) => cell.visible)];
  const weakest = [...final].sort((a, b) => a.share - b.share)[0];
  const worst =
    weakest === undefined || weakest.share === 1
      ? ""
      : `; weakest: ${weakest.kind}, ${weakest.visible} of ${weakest.alive}`;
  const thinned = step > 1 ? ` Drawn is every ${step}th compaction.` : "";
  return [
    await figure({
      id: "fact-survival",
      conclusion: `After ${last === 1 ? "the compaction" : `the last of ${last} compactions`} the agent could still see ${percent(alive === 0 ? 1 : visible / alive)} of the facts alive${worst}.`,
      reading: `Facts that the session planted and that still hold, visible / alive, by kind (what hurts most is on top) after each compaction.${thinned}`,
      spec: factSurvival(kinds, cells),
      legend: survivalSteps.map(({ value, color }) => ({ value, label: `${value} visible`, color })),
      table: {
        caption: "Facts by kind after each compaction",
        columns: [
          { name: "Compaction", numeric: true },
          { name: "Kind" },
          ...["Alive", "Visible", "Gone, can be read again", "Share visible"].map((name) => ({
            name,
            numeric: true as const,
          })),
        ],
        rows: all.map((c) => [c.compaction, c.kind, c.alive, c.visible, c.fetchable, percent(c.share)]),
      },
    }),
  ];
}

/** Each time that the agent went on wrong, with the compaction that had taken the fact. */
function violations(events: readonly RunEvent[]): Html {
  const found = [...eventsOf(events, "violation"), ...eventsOf(events, "stale_value")].sort((a, b) => a.seq - b.seq);
  if (found.length === 0) {
    const needed = eventsOf(events, "fact_needed").length;
    return html`<div class="card"><h3>No violation: the agent never went on without a fact that it needed.</h3><p class="muted">${needed === 0 ? "No step needed a planted fact, so this proves nothing." : `${count(needed, "time")} a step needed a planted fact.`}</p></div>`;
  }
  const losses = new Map<string, EventOf<"fact_census">>();
  for (const census of eventsOf(events, "fact_census")) {
    for (const fact of census.lost) if (!losses.has(fact)) losses.set(fact, census);
  }
  const lostAt = (fact: string, before: number): Html | string => {
    const census = losses.get(fact);
    return census === undefined || census.seq > before ? "not counted as lost" : turnLink(census);
  };
  return html`<div class="card"><h3>${count(found.length, "violation")}: the agent went on without what it needed.</h3>
<p class="muted">A fact was needed, was no longer in the context or only in an outdated form, and could not be read again.</p>
${table({
  caption: "Violations",
  columns: ["Where", "Kind of fact", "Fact", "What happened", "Lost at"].map((name) => ({ name })),
  rows: found.map((v) => [
    turnLink(v),
    words(v.factKind),
    html`<code>${v.fact}</code>`,
    v.kind === "violation" ? "missing" : "outdated value used",
    lostAt(v.fact, v.seq),
  ]),
})}</div>`;
}
