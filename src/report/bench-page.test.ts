import { expect, test } from "vitest";
import { renderBenchPage } from "./bench-page.ts";
import { exampleBench } from "./example/example-suite.ts";

const bench = exampleBench();
const page = await renderBenchPage(bench);

test("R3: the verdict of a bench comes first: what became faster and slower, and what grows faster than declared", () => {
  expect(page).toContain("✗ 3 faster, 3 slower and 3 same; 1 grows faster than declared");
  expect(page).toContain("Slower: adjust the index.");
});

test("R6: every timing carries its unit", () => {
  expect(page).toMatch(
    /group into rounds<\/th><td class="n">1,000<\/td><td class="n">4\.40 µs<\/td><td class="n">4\.18 µs – 4\.75 µs<\/td>/,
  );
});

test("without a baseline nothing is called slower, faster or the same", async () => {
  const rows = bench.rows.map(({ name, n, median, low, high, p99, opsPerSecond }) => ({
    name,
    n,
    median,
    low,
    high,
    p99,
    opsPerSecond,
  }));
  const bare = await renderBenchPage({ rows, environment: {} });
  expect(bare).toContain("✓ 9 timings, no baseline to compare with");
  expect(bare).not.toMatch(/figure id="bench-change"|Verdict/);
});

test("R1: the same timings give the same bytes", async () => {
  expect((await renderBenchPage(exampleBench())) === page).toBe(true);
});
