import type { Html } from "./html.ts";
import { html } from "./html.ts";
import type { FailureInput, Outcome, SuiteInput } from "./input.ts";
import { failureCard, outcomeWord } from "./outcome.ts";
import type { Section } from "./page.ts";
import { page } from "./page.ts";
import { suiteCostSection } from "./suite/cost-section.ts";
import { coverageSection } from "./suite/coverage-section.ts";
import type { JudgedRun } from "./suite/judged-run.ts";
import { judgedRuns } from "./suite/judged-run.ts";
import { matrixSection } from "./suite/matrix-section.ts";
import { suiteVerdict } from "./suite/verdict.ts";

/** The page of a whole suite, as HTML bytes that depend on nothing but the input (R1, R3). */
export async function renderSuitePage(input: SuiteInput): Promise<string> {
  const runs = judgedRuns(input);
  return page({
    title: input.title,
    crumbs: html`longhaul: a proving ground for context compaction`,
    verdict: suiteVerdict(input, runs),
    sections: [
      ...failures(input, runs),
      matrixSection(runs),
      await coverageSection(input, runs),
      ...(runs.length > 0 ? [await suiteCostSection(runs)] : []),
    ],
    environment: input.environment,
  });
}

/** What failed, run by run, each with the command that repeats it. */
function failures({ crashed = [] }: SuiteInput, runs: readonly JudgedRun[]): Section[] {
  const cards = [
    ...crashed.flatMap((run) => cardsOf(run.failures, "crashed", html`${run.scenario}, seed ${run.seed}`)),
    ...runs
      .filter((run) => run.outcome !== "passed")
      .flatMap((run) =>
        cardsOf(run.failures, run.outcome, html`<a href="${run.href}">${run.scenario}, seed ${run.seed}</a>`),
      ),
  ];
  return cards.length === 0 ? [] : [{ id: "failures", heading: "What failed", lead: "", body: cards }];
}

function cardsOf(failures: readonly FailureInput[], outcome: Outcome, name: Html): Html[] {
  const heading = html`<p class="muted">${name}</p>`;
  if (failures.length === 0) return [html`<div class="card bad">${heading}<h3>${outcomeWord(outcome)}</h3></div>`];
  return failures.map((failure) => failureCard(failure, heading));
}
