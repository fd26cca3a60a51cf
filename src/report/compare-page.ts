import { html } from "./html.ts";
import type { CompareInput } from "./input.ts";
import { page } from "./page.ts";

/** The page that sets two suites side by side, as HTML bytes that depend on nothing but the input (R1, R5). */
export function renderComparePage(input: CompareInput): Promise<string> {
  return page({
    title: input.title,
    crumbs: html`longhaul`,
    verdict: html`<div class="verdict">${input.before.name} → ${input.after.name}</div>`,
    sections: [],
    environment: input.after.suite.environment,
  });
}
