import type { Metric } from "../events.ts";
import { trim } from "../figures-of-speech.ts";
import type { Html } from "../html.ts";
import { html } from "../html.ts";
import type { MetricMeaning, RunPageInput } from "../input.ts";
import type { Section } from "../page.ts";
import { table } from "../table.ts";

/** All metrics, the whole configuration, and on what it ran. */
export function detailsSection({ run, environment, metricMeanings = [] }: RunPageInput): Section {
  const { header, footer } = run.record;
  const facts: [string, string][] = [
    ["Scenario", header.scenario],
    ["Seed", header.seed],
    ["Session profile", header.profile],
    ["Rounds planned", String(header.rounds)],
    ["Model", header.model],
    ["Strategy", header.strategy],
    ["Transport", header.transport],
    ["longhaul", header.longhaul],
    ["Events", String(footer.events)],
    ["Hash of the events", footer.hash],
    ...Object.entries(environment),
  ];
  return {
    id: "details",
    heading: "All figures",
    lead: "",
    body: [
      html`<details class="card"><summary>${footer.metrics.length} metrics</summary>${metricTable(footer.metrics, metricMeanings)}</details>`,
      html`<details class="card"><summary>How it was run</summary>${table({ caption: "Run and environment", columns: [{ name: "What" }, { name: "Value" }], rows: facts })}</details>`,
      html`<details class="card"><summary>Configuration</summary><pre class="config">${JSON.stringify(header.config, null, 2) ?? ""}</pre></details>`,
    ],
  };
}

function metricTable(metrics: readonly Metric[], meanings: readonly MetricMeaning[]): Html {
  const known = new Map(meanings.map((meaning) => [meaning.name, meaning]));
  return table({
    caption: "Metrics of the run",
    columns: [
      { name: "Metric" },
      { name: "Of" },
      { name: "Value", numeric: true },
      { name: "Unit" },
      { name: "Formula" },
    ],
    rows: metrics.map(({ name, labels, value }) => [
      html`<code>${name}</code>`,
      Object.entries(labels)
        .map(([label, of]) => `${label}: ${of}`)
        .join(", "),
      trim(value, Math.abs(value) < 10 ? 4 : 1),
      known.get(name)?.unit ?? "",
      known.get(name)?.formula ?? "",
    ]),
  });
}
