import { pageAssets } from "./bundles.ts";
import { chartConfig } from "./chart-theme.ts";
import type { Figure } from "./figure.ts";
import type { Html } from "./html.ts";
import { html, jsonForScript, trusted } from "./html.ts";
import type { Environment } from "./input.ts";

export interface PageInput {
  readonly title: string;
  /** Above the title: where this page belongs. */
  readonly crumbs: Html;
  readonly verdict: Html;
  readonly sections: readonly Section[];
  readonly environment: Environment;
}

export interface Section {
  readonly id: string;
  readonly heading: string;
  /** Sentence under the heading; "" where the figures speak. */
  readonly lead: string | Html;
  readonly body: readonly (Html | Figure)[];
}

/** One self-contained HTML page: no request leaves it, no script but its own runs in it (R1, R2). Chart code is carried only where there is a chart. */
export async function page(input: PageInput): Promise<string> {
  const figures = input.sections.flatMap((section) => section.body.filter((part) => "spec" in part));
  const { style, scripts } = await pageAssets();
  const running = figures.length === 0 ? scripts.slice(-1) : scripts;
  const policy = `default-src 'none'; script-src ${running.map((s) => s.cspSource).join(" ")}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
  const specs = { config: chartConfig, specs: Object.fromEntries(figures.map((f) => [f.id, f.spec])) };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${input.title}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<div class="crumbs">${input.crumbs}</div>
<h1>${input.title}</h1>
${input.verdict}
</header>
<nav class="sections" aria-label="Sections"><ul tabindex="0" aria-label="Sections of this page">${input.sections.map((s) => html`<li><a href="#${s.id}">${s.heading}</a></li>`)}</ul></nav>
<main id="content">
${input.sections.map(section)}
</main>
<footer>${environmentLine(input.environment)}</footer>
<script type="application/json" id="chart-specs">${jsonForScript(specs)}</script>
${running.map((script) => html`<script>${trusted(script.text)}</script>\n`)}</body>
</html>
`.text;
}

function section({ id, heading, lead, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-h">
<h2 id="${id}-h">${heading}</h2>
${lead !== "" && html`<p class="muted">${lead}</p>`}
${body.map((part) => ("spec" in part ? part.markup : part))}
</section>
`;
}

function environmentLine(environment: Environment): Html {
  const entries = Object.entries(environment);
  return html`<p>Made by longhaul${entries.length > 0 ? ": " : ""}${entries.map(([name, value]) => `${name} ${value}`).join(" · ")}</p>`;
}
