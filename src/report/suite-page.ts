import { html } from "./html.ts";
import type { SuiteInput } from "./input.ts";
import { page } from "./page.ts";

/** The page of a whole suite, as HTML bytes that depend on nothing but the input (R1, R3). */
export function renderSuitePage(input: SuiteInput): Promise<string> {
  return page({
    title: input.title,
    crumbs: html`longhaul`,
    verdict: html`<div class="verdict">${input.runs.filter((run) => run.verdict === "passed").length} passed</div>`,
    sections: [],
    environment: input.environment,
  });
}
