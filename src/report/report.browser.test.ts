import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exampleBench, exampleRun, exampleSuite } from "./example/example-suite.ts";
import { renderBenchPage, renderComparePage, renderRunPage, renderSuitePage } from "./index.ts";

const names = ["run", "suite", "bench", "compare"] as const;
type PageName = (typeof names)[number];

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "longhaul-report-"));
let browser: Browser;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

beforeAll(async () => {
  const suite = exampleSuite();
  const environment = { longhaul: "0.1.0" };
  const run = await renderRunPage({
    run: exampleRun("faults-everywhere", 7, true, 90),
    environment,
    suiteHref: "suite.html",
  });
  const compared = { title: "a and b", before: { name: "a", suite }, after: { name: "b", suite } };
  writeFileSync(join(folder, "run.html"), run);
  writeFileSync(join(folder, "suite.html"), await renderSuitePage(suite));
  writeFileSync(join(folder, "bench.html"), await renderBenchPage(exampleBench()));
  writeFileSync(join(folder, "compare.html"), await renderComparePage(compared));
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

interface View {
  readonly hash?: string;
  readonly width?: number;
  readonly dark?: boolean;
  readonly scripts?: boolean;
}

/** Opens a page from disk, hands it over, and then holds it to what every page owes: not a word on the console, no request. */
async function open(name: PageName, look: (page: Page) => Promise<void>, view: View = {}): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: view.width ?? 1200, height: 900 },
    colorScheme: view.dark === true ? "dark" : "light",
    javaScriptEnabled: view.scripts !== false,
  });
  const said: string[] = [];
  const requests: string[] = [];
  const page = await context.newPage();
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  const address = pathToFileURL(join(folder, `${name}.html`)).href;
  await page.goto(address + (view.hash ?? ""));
  await look(page);
  expect(said).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:"))).toEqual([]);
  await context.close();
}

// A browser on a machine that does other things as well.
vi.setConfig({ testTimeout: 120_000 });

/** Brings every chart into view, where it comes to life. */
async function enliven(page: Page): Promise<string[]> {
  const charts = page.locator(".chart");
  for (const chart of await charts.all()) {
    await chart.evaluate((element) => element.scrollIntoView());
    await expect.poll(() => chart.getAttribute("data-state"), { timeout: 20_000 }).not.toBeNull();
  }
  return charts.evaluateAll((all) =>
    all.map((chart) => `${chart.getAttribute("data-chart")} ${chart.getAttribute("data-state")}`),
  );
}

test.each(names)(
  "R7: %s.html loads from disk without a word on the console or a request, and its charts come to life",
  (name) =>
    open(name, async (page) => {
      const states = await enliven(page);
      expect(states.length).toBeGreaterThan(0);
      expect(states.filter((state) => !state.endsWith(" live"))).toEqual([]);
      for (const svg of await page.locator(".chart svg").all()) {
        const box = await svg.boundingBox();
        expect(box?.width).toBeGreaterThan(600);
        expect(box?.height).toBeGreaterThan(20);
      }
    }),
);

test.each(names)("R2: %s.html shows its drawings without scripts", (name) =>
  open(
    name,
    async (page) => {
      for (const svg of await page.locator(".chart svg").all())
        expect((await svg.boundingBox())?.width).toBeGreaterThan(600);
      expect(await page.locator("form.filter").isVisible()).toBe(false);
    },
    { scripts: false },
  ),
);

test.each(names)("R6: %s.html has no sideways scroll at 360 px", (name) =>
  open(
    name,
    async (page) => {
      await enliven(page);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect(width).toBe(360);
    },
    { width: 360 },
  ),
);

test.each(names.flatMap((name) => [[name, false] as const, [name, true] as const]))(
  "R7: axe finds nothing serious in %s.html, dark: %s",
  (name, dark) =>
    open(
      name,
      async (page) => {
        await enliven(page);
        await page.evaluate(
          "for (const details of document.querySelectorAll('details')) details.open = details.closest('#turns') === null",
        );
        await page.evaluate(axe);
        const found = (await page.evaluate(
          "axe.run({ exclude: [['.chart svg']] }, { resultTypes: ['violations'] })",
        )) as { violations: Violation[] };
        const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
      },
      { dark },
    ),
);

test("R4: a deep link opens its turn, and the other turns stay closed", () =>
  open(
    "run",
    async (page) => {
      const turn = page.locator("#turn-10");
      await expect.poll(() => turn.getAttribute("open")).not.toBeNull();
      const top = (await turn.boundingBox())?.y ?? -1;
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(450);
      expect(await page.locator("details.turn[open]").count()).toBe(1);
    },
    { hash: "#turn-10" },
  ));

test("R4: a click on the context chart opens the turn of that round", () =>
  open("run", async (page) => {
    await enliven(page);
    const chart = page.locator('[data-chart="context-by-origin"]');
    await chart.evaluate((element) => element.scrollIntoView());
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart is not visible");
    await page.mouse.move(box.x + box.width / 2, box.y + 200);
    await expect.poll(() => page.locator("#vg-tooltip-element").textContent()).toContain("Tool results");
    await page.mouse.click(box.x + box.width / 2, box.y + 200);
    await expect.poll(() => page.url()).toMatch(/#turn-[67]-round-\d+$/);
    expect(await page.locator("details.turn[open]").count()).toBe(1);
  }));

test("R6: the keyboard switches a series off and on", () =>
  open("run", async (page) => {
    await enliven(page);
    const areas = page.locator('[data-chart="context-by-origin"] .mark-area path');
    const button = page.locator('[data-for="context-by-origin"] button[data-value="toolResults"]');
    const before = await areas.count();
    await button.focus();
    await page.keyboard.press("Enter");
    expect(await button.getAttribute("aria-pressed")).toBe("false");
    await expect.poll(() => areas.count()).toBe(before - 1);
    await page.keyboard.press("Space");
    await expect.poll(() => areas.count()).toBe(before);
  }));

test("R2: charts over the same rounds zoom together", () =>
  open("run", async (page) => {
    await enliven(page);
    const lastTick = (): Promise<string | null> =>
      page.locator('[data-chart="cache-hit"] .role-axis-label text').first().textContent();
    const before = await lastTick();
    const chart = page.locator('[data-chart="context-by-origin"]');
    await chart.evaluate((element) => element.scrollIntoView());
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart is not visible");
    await page.mouse.move(box.x + box.width / 2, box.y + 250);
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, -600);
    await page.keyboard.up("Shift");
    await expect.poll(lastTick).not.toBe(before);
  }));

test("R3: the filter narrows the rows by every word, and by outcome", () =>
  open("suite", async (page) => {
    const rows = page.locator("table.matrix tbody tr:visible");
    expect(await rows.count()).toBe(14);
    await page.fill("#filter-text", "clean seed");
    expect(await rows.count()).toBe(4);
    expect(await page.locator("#filter-count").textContent()).toBe("4 of 14 runs shown");
    await page.fill("#filter-text", "overloaded");
    expect(await rows.count()).toBe(2);
    await page.selectOption("#filter-outcome", "passed");
    expect(await rows.count()).toBe(0);
  }));

test("R3: a deep link filters", () =>
  open(
    "suite",
    async (page) => {
      await expect.poll(() => page.locator("table.matrix tbody tr:visible").count()).toBe(2);
      expect(await page.inputValue("#filter-text")).toBe("idle-61");
    },
    { hash: "#filter=idle-61" },
  ));

test.each([360, 1200])("R3: the filter hides rows at %i px too", (width) =>
  open(
    "suite",
    async (page) => {
      await page.fill("#filter-text", "notes-current");
      expect(await page.locator("table.matrix tbody tr:visible").count()).toBe(2);
    },
    { width },
  ),
);

test("R6: dark mode turns page and charts dark, print turns them light again", () =>
  open(
    "run",
    async (page) => {
      await enliven(page);
      const luminance = (selector: string, property: string): Promise<number> =>
        page
          .locator(selector)
          .first()
          .evaluate((element, name) => {
            const view = element.ownerDocument.defaultView;
            const numbers = view.getComputedStyle(element)[name].match(/\d+/g) ?? [];
            return numbers.slice(0, 3).reduce((sum: number, part: string) => sum + Number(part), 0) / 3;
          }, property);
      expect(await luminance("body", "backgroundColor")).toBeLessThan(40);
      expect(await luminance(".chart svg text", "fill")).toBeGreaterThan(130);
      await page.emulateMedia({ media: "print" });
      expect(await luminance("body", "backgroundColor")).toBeGreaterThan(240);
      expect(await luminance(".chart svg text", "fill")).toBeLessThan(130);
    },
    { dark: true },
  ));
