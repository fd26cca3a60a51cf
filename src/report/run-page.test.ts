import { expect, test } from "vitest";
import { eventKinds } from "../simulate/index.ts";
import { exampleRun } from "./example/example-suite.ts";
import { renderRunPage } from "./run-page.ts";

const environment = { longhaul: "0.1.0", "Node.js": "20.20.2" };
const failedRun = exampleRun("faults-everywhere", 7, true);
const failed = await renderRunPage({ run: failedRun, environment, suiteHref: "index.html" });
const passed = await renderRunPage({ run: exampleRun("clean", 1, false), environment });
/** What a reader sees: without code, style and data. */
const visible = (page: string): string => page.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, "");

test("the example that these tests draw holds every kind of event", () => {
  expect(eventKinds.filter((kind) => !failedRun.record.events.some((event) => event.kind === kind))).toEqual([]);
});

test("R1: the same record gives the same bytes, also while another page is being drawn", async () => {
  const input = { run: exampleRun("faults-everywhere", 7, true), environment, suiteHref: "index.html" };
  const [again, , beside] = await Promise.all([
    renderRunPage(input),
    renderRunPage({ run: exampleRun("clean", 2, false), environment }),
    renderRunPage(input),
  ]);
  expect(again === failed).toBe(true);
  expect(beside === failed).toBe(true);
});

test("R1: a page names no address to load from, and its policy lets none be loaded", () => {
  for (const tag of visible(failed).match(/<(?:link|img|script|iframe|object|image|use)[^>]*>/g) ?? []) {
    expect(tag).toMatch(/^<link rel="icon" href="data:,">$/);
  }
  expect(failed).toContain(`content="default-src 'none'; script-src 'sha256-`);
  expect(failed.match(/Content-Security-Policy" content="([^"]*)"/)?.[1]).not.toMatch(/unsafe-eval|https?:|\*/);
});

test("R2: every script that runs is allowed by its hash", async () => {
  const scripts = [...failed.matchAll(/<script>(.*?)<\/script>/gs)].map((match) => match[1] ?? "");
  expect(scripts.length).toBe(5);
  for (const script of scripts) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
    expect(failed.includes(`'sha256-${Buffer.from(digest).toString("base64")}'`)).toBe(true);
  }
});

test("R2: each chart is drawn already, carries its spec as Vega-Lite, and has a table beside it (R6)", () => {
  const figures = [...failed.matchAll(/<figure id="([^"]+)">(.*?)<\/figure>/gs)];
  const specs = JSON.parse(/id="chart-specs">(.*?)<\/script>/s.exec(failed)?.[1] ?? "{}").specs;
  expect(figures.map((match) => match[1])).toEqual([
    "context-by-origin",
    "event-lanes",
    "estimate-error",
    "fact-survival",
    "dollars-by-purpose",
    "tokens-by-purpose",
    "cache-hit",
    "time-line",
  ]);
  for (const [, id = "", markup = ""] of figures) {
    expect(markup).toMatch(/<svg xmlns="[^"]+" viewBox="[^"]+" aria-hidden="true"/);
    expect(markup).toContain("<table>");
    expect(markup).toMatch(/<h3>[^<]+\.<\/h3>/);
    expect(specs[id].$schema).toBe("https://vega.github.io/schema/vega-lite/v6.json");
  }
});

test("R2: drawings of one page share no id", () => {
  const ids = [...visible(failed).matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("R2: what a record says cannot end the script or the page", () => {
  expect(failed).not.toContain("</script><b>");
  expect(failed).toContain("&lt;/script&gt;&lt;b&gt;&amp;");
});

test("R4: the verdict stands before everything else, with the command that repeats the run", () => {
  const text = visible(failed);
  expect(text.indexOf("✗ Failed: 1 thing not as expected")).toBeGreaterThan(0);
  expect(text.indexOf("✗ Failed")).toBeLessThan(text.indexOf("<main"));
  expect(text).toContain("npx longhaul run scenarios/faults-everywhere.yaml --seed 7");
  expect(visible(passed)).toContain("✓ Passed");
});

test("R4: the context chart draws the lines of the record's header", () => {
  const figure = /<figure id="context-by-origin">.*?<\/figure>/s.exec(failed)?.[0] ?? "";
  for (const label of ["window 200K", "blocking 177K", "auto 167K", "warning 147K"])
    expect(figure).toContain(`>${label}</text>`);
});

test("R4: each turn and round has its anchor, and every violation links to where it was and where the fact was lost", () => {
  const ids = new Set([...failed.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
  for (const event of failedRun.record.events) expect(ids.has(`turn-${event.turn}`)).toBe(true);
  const links = [...visible(failed).matchAll(/href="#(turn-[^"]+)"/g)].map((match) => match[1] ?? "");
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !ids.has(link))).toEqual([]);
});

test("R4: facts that a summary lost are struck through, those that it kept are named", () => {
  expect(visible(failed)).toMatch(/Lost: <del>[a-z ]+ <small>[a-z-]+\d+[^<]*<\/small><\/del>/);
  expect(visible(failed)).toMatch(/Kept: <span>[a-z ]+ <small>[a-z-]+\d+[^<]*<\/small><\/span>/);
});

test("R4: a run without violations says whether that proves anything", () => {
  expect(visible(passed)).toContain("No violation: the agent never went on without a fact that it needed.");
  expect(visible(passed)).toContain("Every invariant held, at every request.");
});

test("R1: a run of 10 000 rounds is thinned below 5 MB and says so", async () => {
  const page = await renderRunPage({ run: exampleRun("long", 3, true, 10_000), environment });
  expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
  expect(page).toMatch(/Drawn are 400 of [\d,]+ rounds, peaks kept\./);
  expect(page).toMatch(/The run is long: [\d,]+ lines of [\d,]+ are left out/);
  expect(page).toMatch(/\(200 of [\d,]+ rows, evenly thinned\)/);
});

test("R1: a record with hardly an event still gives a page", async () => {
  const run = exampleRun("empty", 1, false, 1);
  const page = await renderRunPage({ run: { ...run, record: { ...run.record, events: [] } }, environment: {} });
  expect(page).toContain("The record does not say how it ended");
});
