import { faultCoverage } from "../charts/fault-coverage.ts";
import { sum } from "../counting.ts";
import type { Figure } from "../figure.ts";
import { figure } from "../figure.ts";
import { count, list } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { MutantInput, RareBranch, SuiteInput } from "../input.ts";
import type { Section } from "../page.ts";
import { words } from "../run/names.ts";
import type { JudgedRun } from "./judged-run.ts";

/** Whether the suite went where it must: rare branches, kinds of faults, broken layers that it noticed. */
export async function coverageSection(input: SuiteInput, runs: readonly JudgedRun[]): Promise<Section> {
  return {
    id: "coverage",
    heading: "Coverage",
    lead: "",
    body: [
      ...(input.sometimes.length > 0 ? [branches(input.sometimes)] : []),
      ...(await faultFigure(runs)),
      ...(input.mutants === undefined ? [] : [mutants(input.mutants)]),
    ],
  };
}

function branches(sometimes: readonly RareBranch[]): Html {
  const missed = sometimes.filter((branch) => branch.hits === 0);
  const sorted = [...missed, ...sometimes.filter((branch) => branch.hits > 0)];
  return html`<div class="card"><h3>${missed.length === 0 ? `All ${sometimes.length} rare branches were taken.` : `${missed.length} of ${count(sometimes.length, "rare branch", "rare branches")} never taken: ${list(missed.map((branch) => branchName(branch.name)))}.`}</h3>
<p class="muted">Code that runs rarely must run in this suite, or it proves nothing about it. The figure is the number of runs that took the branch.</p>
<ul class="coverage">${sorted.map(({ name, hits }) => html`<li${hits === 0 && html` class="missed"`}><span>${hits === 0 ? "✗" : "✓"} ${branchName(name)}</span><b>${hits === 0 ? "never" : hits}</b></li>`)}</ul></div>`;
}

/** `event(breaker_opened) at_least 1` → "breaker opened"; any other wording as it is. */
function branchName(text: string): string {
  const event = /^event\(([^)]*)\) at_least 1$/.exec(text)?.[1];
  return event === undefined ? text : words(event);
}

async function faultFigure(runs: readonly JudgedRun[]): Promise<Figure[]> {
  const kinds = [...new Set(runs.flatMap((run) => [...run.figures.faults.keys()]))];
  if (kinds.length === 0) return [];
  const rows = kinds
    .map((kind) => {
      const struck = runs.filter((run) => run.figures.faults.has(kind));
      const times = (of: readonly JudgedRun[]): number => sum(of, (run) => run.figures.faults.get(kind) ?? 0);
      const well = struck.filter((run) => run.outcome === "passed");
      return { kind: words(kind), runs: struck.length, passed: times(well), failed: times(struck) - times(well) };
    })
    .sort((a, b) => b.passed + b.failed - a.passed - a.failed);
  const failed = sum(rows, (row) => row.failed);
  const all = sum(rows, (row) => row.passed) + failed;
  return [
    await figure({
      id: "fault-coverage",
      conclusion: `${count(kinds.length, "kind")} of faults struck ${count(all, "time")}; ${failed === 0 ? "every run that was struck came through" : `${count(failed, "strike")} fell in runs that failed`}.`,
      reading: "How often each kind of fault was injected, by the outcome of the run that it struck.",
      spec: faultCoverage(rows),
      legend: [
        { value: "passed", label: "In runs that passed", color: "var(--c-read)" },
        { value: "failed", label: "In runs that failed", color: "var(--c-alarm)" },
      ],
      table: {
        caption: "Faults injected by kind",
        columns: [
          { name: "Kind" },
          ...["Runs", "Injected in runs that passed", "In runs that failed"].map((name) => ({
            name,
            numeric: true as const,
          })),
        ],
        rows: rows.map((row) => [row.kind, row.runs, row.passed, row.failed]),
      },
    }),
  ];
}

function mutants(all: readonly MutantInput[]): Html {
  const survivors = all.filter((mutant) => mutant.caughtBy.length === 0);
  const sorted = [...survivors, ...all.filter((mutant) => mutant.caughtBy.length > 0)];
  return html`<div class="card"><h3>${survivors.length === 0 ? `All ${all.length} mutants were caught.` : `${survivors.length} of ${count(all.length, "mutant")} not caught.`}</h3>
<p class="muted">A mutant is a layer of compaction that is broken on purpose: a suite that does not notice it is blind there.</p>
<ul class="coverage">${sorted.map(({ name, caughtBy }) => html`<li${caughtBy.length === 0 && html` class="missed"`}><span>${caughtBy.length === 0 ? "✗" : "✓"} ${name}</span><span class="muted">${caughtBy.length === 0 ? "by none" : `${caughtBy[0]}${caughtBy.length > 1 ? ` +${caughtBy.length - 1}` : ""}`}</span></li>`)}</ul></div>`;
}
