import { expect, test } from "vitest";
import { exampleRun, exampleSuite } from "./example/example-suite.ts";
import { digestRecord } from "./index.ts";
import { renderSuitePage } from "./suite-page.ts";

const suite = exampleSuite();
const page = await renderSuitePage(suite);
const visible = page.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, "");
const calm = { ...suite, runs: suite.runs.filter((run) => run.verdict === "passed"), sometimes: [], mutants: [] };

test("R3: the verdict counts what passed and failed, and names what failed", () => {
  expect(visible).toContain("12 passed, 2 failed; 1 rare branch never taken and 1 mutant not caught");
  expect(visible).toContain("Failed: faults-everywhere and prompt-too-long");
  expect(visible.indexOf("12 passed")).toBeLessThan(visible.indexOf("<main"));
});

test("R3: each failure carries its replay line", () => {
  expect(visible.match(/<code class="replay">npx longhaul run /g)?.length).toBe(2);
});

test("R3: every run has a row with its anchor, its outcome, its cost and a link to its page; failed ones come first", () => {
  const rows = [...visible.matchAll(/<tr id="(run-[^"]+)"[^>]*data-outcome="([^"]+)">.*?<\/tr>/gs)];
  expect(rows.length).toBe(14);
  expect(rows.map((match) => match[2])).toEqual(["failed", "failed", ...Array.from({ length: 12 }, () => "passed")]);
  expect(rows.find((match) => match[1] === "run-clean-bugfix-1")?.[0]).toMatch(/href="clean-bugfix-1\.html".*\$\d/s);
});

test("R3: the matrix counts layers and classes of faults", () => {
  const row = /<tr id="run-faults-everywhere-7".*?<\/tr>/s.exec(visible)?.[0] ?? "";
  expect(row).toMatch(/data-label="Layer: microcompact" class="heat edge"><b class="layer">1<\/b>/);
  expect(row).toMatch(/data-label="Faults: server" class="heat"><b class="fault" title="2 × overloaded">2<\/b>/);
  expect(row).toMatch(/data-label="Faults: figures" class="heat zero"/);
});

test("R3: a rare branch that was never taken and a mutant that was not caught stand first and are marked", () => {
  const lists = [...visible.matchAll(/<ul class="coverage">(.*?)<\/ul>/gs)].map((match) => match[1] ?? "");
  expect(lists[0]).toMatch(/^<li class="missed"><span>✗ cache edits pinned<\/span><b>never<\/b>/);
  expect(lists[1]).toMatch(/^<li class="missed"><span>✗ forgets to reset the breaker<\/span>/);
});

test("R3: a suite in which all holds passes; one without a run, with a crash or with a missed branch does not", async () => {
  expect(await renderSuitePage(calm)).toMatch(
    /<div class="verdict" role="status">\s*<div class="word">✓ 12 passed, 0 failed</,
  );
  expect(await renderSuitePage({ ...calm, runs: [] })).toContain("✗ 0 passed, 0 failed");
  expect(await renderSuitePage({ ...calm, sometimes: [{ name: "x", hits: 0 }] })).toContain(
    "✗ 12 passed, 0 failed; 1 rare branch never taken",
  );
  const crash = { scenario: "boom", seed: "9", why: "", failures: [] };
  const crashed = await renderSuitePage({ ...calm, crashed: [crash] });
  expect(crashed).toContain("✗ 12 passed, 1 failed");
  expect(crashed).toContain("boom, seed 9");
});

test("R1: a suite of digests gives the bytes of the suite of records", async () => {
  const runs = suite.runs.map((run) => {
    if (!("record" in run)) return run;
    const { record, ...rest } = run;
    return { ...rest, digested: digestRecord(record) };
  });
  expect((await renderSuitePage({ ...suite, runs })) === page).toBe(true);
});

test("R2: names are escaped wherever they stand", () => {
  expect(visible).toContain("prompt-too-long &lt;in&gt; &quot;compaction&quot; &amp; more");
  expect(visible).not.toContain("<in>");
});

test("R1: a suite of 600 runs stays below 5 MB", async () => {
  const run = exampleRun("many", 1, true, 20);
  const runs = Array.from({ length: 600 }, (_, seed) => ({ ...run, seed: String(seed), href: `many-${seed}.html` }));
  expect(Buffer.byteLength(await renderSuitePage({ ...suite, runs }))).toBeLessThan(5_000_000);
});
