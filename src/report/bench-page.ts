import { html } from "./html.ts";
import type { BenchInput } from "./input.ts";
import { page } from "./page.ts";

/** The page of a bench, as HTML bytes that depend on nothing but the input (R1). */
export function renderBenchPage(input: BenchInput): Promise<string> {
  return page({
    title: input.title ?? "Hot paths, measured",
    crumbs: html`longhaul`,
    verdict: html`<div class="verdict">${input.rows.length} rows</div>`,
    sections: [],
    environment: input.environment,
  });
}
