import { sum } from "../counting.ts";
import type { LayerName } from "../digest.ts";
import { cacheHit, layerNames } from "../digest.ts";
import type { FaultClass } from "../fault-class.ts";
import { faultClasses, faultClassMeaning, faultClassOf } from "../fault-class.ts";
import { dollars, percent, whole } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import { outcomeChip } from "../outcome.ts";
import type { Section } from "../page.ts";
import type { JudgedRun } from "./judged-run.ts";

const layerHeads: Readonly<Record<LayerName, string>> = {
  microcompact: "Micro",
  "session memory": "Notes",
  "full summary": "Full",
  reactive: "React",
  "last resort": "Last",
};

/** Every run: its outcome, which layers acted, which faults struck, what it cost. With a filter where scripts run. */
export function matrixSection(runs: readonly JudgedRun[]): Section {
  return {
    id: "runs",
    heading: "Runs",
    lead: "One row a run, failed ones first: how often each layer of compaction acted, how often each class of fault was injected, what was forgotten, and what it cost. A name leads to the run's own page.",
    body: [
      html`<form class="filter" hidden role="search">
<label>Search scenario, seed, layer or fault<input id="filter-text" type="search" autocomplete="off" placeholder="for example: overloaded"></label>
<label>Outcome<select id="filter-outcome"><option value="">all</option><option value="passed">passed</option><option value="failed">not passed</option></select></label>
<output id="filter-count" class="muted" role="status"></output>
</form>`,
      html`<div class="scroll card" role="region" aria-label="All runs" tabindex="0"><table class="matrix">
<thead>${heads()}</thead>
<tbody>${runs.map(row)}</tbody>
</table></div>`,
    ],
  };
}

function heads(): Html {
  const heat = (name: string, meaning: string, edge: boolean): Html =>
    html`<th scope="col" class="heat${edge && " edge"}"><abbr title="${meaning}">${name}</abbr></th>`;
  return html`<tr class="group"><td colspan="3"></td><th colspan="${layerNames.length}" scope="colgroup" class="edge">Layers that acted</th><th colspan="${faultClasses.length}" scope="colgroup" class="edge">Faults injected</th><td colspan="4" class="edge"></td></tr>
<tr><th scope="col">Scenario and seed</th><th scope="col">Outcome</th><th scope="col" class="n">Rounds</th>${layerNames.map((name, index) => heat(layerHeads[name], name, index === 0))}${faultClasses.map((name, index) => heat(name, faultClassMeaning[name], index === 0))}<th scope="col" class="n edge"><abbr title="times that the agent went wrong for something forgotten">Wrong</abbr></th><th scope="col" class="n"><abbr title="largest context, share of the window">Peak</abbr></th><th scope="col" class="n">Cost</th><th scope="col" class="n"><abbr title="input tokens from the prompt cache">Cached</abbr></th></tr>`;
}

function row(run: JudgedRun): Html {
  const { figures, header } = run;
  const hit = cacheHit(figures.billed);
  const classes = faultsByClass(run);
  return html`<tr id="${run.id}" data-search="${searchText(run)}" data-outcome="${run.outcome === "passed" ? "passed" : "failed"}">
<th scope="row"><a href="${run.href}" title="${run.why}">${run.scenario}</a> <span class="muted">${run.seed}</span></th>
<td data-label="Outcome">${outcomeChip(run.outcome)}</td>
<td data-label="Rounds" class="n">${whole(figures.rounds)}</td>
${layerNames.map((name, index) => heat({ label: `Layer: ${name}`, times: figures.layers[name], look: "layer", edge: index === 0, title: "" }))}
${faultClasses.map((name, index) => {
  const kinds = classes.get(name) ?? [];
  const title = kinds.map(([kind, often]) => `${often} × ${kind}`).join(", ");
  return heat({
    label: `Faults: ${name.toLowerCase()}`,
    times: sum(kinds, ([, times]) => times),
    look: "fault",
    edge: index === 0,
    title,
  });
})}
<td data-label="Went wrong" class="n edge${figures.violations === 0 && " zero"}">${figures.violations}</td>
<td data-label="Largest context" class="n">${percent(figures.peakTokens / header.lines.window)}</td>
<td data-label="Cost" class="n">${dollars(figures.billed.dollars)}</td>
<td data-label="From cache" class="n">${hit === null ? "–" : percent(hit)}</td>
</tr>
`;
}

interface HeatCell {
  readonly label: string;
  readonly times: number;
  readonly look: "layer" | "fault";
  /** First of its group. */
  readonly edge: boolean;
  readonly title: string;
}

function heat({ label, times, look, edge, title }: HeatCell): Html {
  const none = html`<span class="none" aria-hidden="true">·</span><span class="sr">0</span>`;
  const shade = times >= 5 ? `${look} many` : look;
  return html`<td data-label="${label}" class="heat${edge && " edge"}${times === 0 && " zero"}">${times === 0 ? none : html`<b class="${shade}"${title !== "" && html` title="${title}"`}>${times}</b>`}</td>`;
}

function faultsByClass({ figures }: JudgedRun): Map<FaultClass, (readonly [string, number])[]> {
  const classes = new Map<FaultClass, (readonly [string, number])[]>();
  for (const [kind, times] of figures.faults) {
    const name = faultClassOf(kind);
    classes.set(name, [...(classes.get(name) ?? []), [kind, times]]);
  }
  return classes;
}

function searchText({ scenario, seed, outcome, header, figures, why }: JudgedRun): string {
  const layers = layerNames.filter((name) => figures.layers[name] > 0);
  return [
    scenario,
    `seed ${seed}`,
    outcome,
    header.profile,
    header.model,
    header.strategy,
    ...layers,
    ...figures.faults.keys(),
    why,
  ]
    .join(" ")
    .toLowerCase();
}
