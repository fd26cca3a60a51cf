import { html } from "./html.ts";
import type { RunPageInput } from "./input.ts";
import { page } from "./page.ts";

/** The page of one run, as HTML bytes that depend on nothing but the input (R1, R4). */
export function renderRunPage(input: RunPageInput): Promise<string> {
  const { run } = input;
  return page({
    title: `${run.scenario}, seed ${run.seed}`,
    crumbs: html`longhaul`,
    verdict: html`<div class="verdict">${run.verdict}</div>`,
    sections: [],
    environment: input.environment,
  });
}
