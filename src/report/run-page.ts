import { digest } from "./digest.ts";
import { html } from "./html.ts";
import type { RunPageInput } from "./input.ts";
import { page } from "./page.ts";
import { contextSection } from "./run/context-section.ts";
import { costSection } from "./run/cost-section.ts";
import { detailsSection } from "./run/details-section.ts";
import { judgementSection } from "./run/judgement-section.ts";
import { memorySection } from "./run/memory-section.ts";
import { timeSection } from "./run/time-section.ts";
import { turnsSection } from "./run/turns-section.ts";
import { verdictOf } from "./run/verdict.ts";

/** The page of one run, as HTML bytes that depend on nothing but the input (R1, R4). */
export async function renderRunPage(input: RunPageInput): Promise<string> {
  const { run, suiteHref } = input;
  const { record } = run;
  const figures = digest(record);
  const judgement = judgementSection(run, figures);
  const failed = run.failures.length > 0;
  return page({
    title: `${run.scenario}, seed ${run.seed}`,
    crumbs: suiteHref === undefined ? html`longhaul: one run` : html`<a href="${suiteHref}">longhaul suite</a> › run`,
    verdict: verdictOf(run, figures),
    sections: [
      ...(failed ? [judgement] : []),
      await contextSection(record, figures),
      await memorySection(record),
      await costSection(record, figures),
      await timeSection(record, figures),
      ...(failed ? [] : [judgement]),
      turnsSection(record),
      detailsSection(input),
    ],
    environment: input.environment,
  });
}
