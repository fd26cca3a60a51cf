// A test runner for Stryker that loads a room's tests once and then only calls them: milliseconds a mutant, where a runner that starts
// vitest anew takes a second. The rooms keep no module state, so nothing is left behind; whether that held is checked at every kill:
// a test that failed must pass again at once without the mutant, else everything is loaded anew and the mutant tried once more.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createServer, createServerModuleRunner } from "vite";
import * as vitest from "./warm-vitest.mjs";

const vitestImport = /import \{([^}]*)\} from "vitest";/;

/** Milliseconds that each test took last, by id; nothing where it has just noticed a mutant: it will notice the next one, too. */
const took = new Map();
const lately = [];
const costOf = ({ id }) => (lately.includes(id) ? 0 : (took.get(id) ?? 0));
const byCost = (one, other) => costOf(one) - costOf(other);
const least = ({ tests }) => costOf(tests[0]);

/** Tests, run one after the other, those that are likely to tell soonest first; ends at the first failure if asked to. */
async function runTests(files, { wanted, bail, onTest = () => {} }) {
  const results = [];
  const chosen = files
    .map((file) => ({ ...file, tests: file.tests.filter(({ id }) => wanted?.has(id) ?? true).sort(byCost) }))
    .filter(({ tests }) => tests.length > 0)
    .sort((one, other) => least(one) - least(other));
  for (const { tests, ...file } of chosen) {
    for (const hook of file.beforeAll) await hook();
    for (const test of tests) {
      onTest(test.id);
      const began = performance.now();
      let failureMessage;
      try {
        for (const hook of file.beforeEach) await hook();
        await inTime(test.run({}), 5_000 + 10 * (took.get(test.id) ?? 1_000));
      } catch (error) {
        failureMessage = String(error?.message ?? error) || "failed";
      }
      for (const hook of file.afterEach) await hook();
      onTest(undefined);
      const timeSpentMs = Math.round(performance.now() - began);
      const common = { id: test.id, name: test.name, fileName: resolve(file.path), timeSpentMs };
      if (failureMessage === undefined) took.set(test.id, timeSpentMs);
      results.push(failureMessage === undefined ? { ...common, status: 0 } : { ...common, status: 1, failureMessage });
      if (bail && failureMessage !== undefined) {
        lately.unshift(test.id);
        lately.length = Math.min(lately.length, 5);
        return results;
      }
    }
    for (const hook of file.afterAll) await hook();
  }
  return results;
}

/** A mutant may wait for what never comes: that is a failure, and no reason to load everything anew. A loop without end is Stryker's to notice. */
async function inTime(work, limitMs) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not end within ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

class WarmRunner {
  constructor(options, log) {
    Object.assign(this, { options, log });
    this.mutants = globalThis.__stryker__ ??= {};
    globalThis.__warmVitest__ = vitest;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    process.env.NODE_ENV = "test";
    process.env.VITEST = "1";
    this.server = await createServer({
      configFile: false,
      logLevel: "error",
      appType: "custom",
      optimizeDeps: { noDiscovery: true },
      server: { middlewareMode: true, hmr: false, watch: null, ws: false },
      plugins: [
        {
          name: "warm",
          enforce: "pre",
          transform: (code) => code.replace(vitestImport, "const {$1} = globalThis.__warmVitest__;"),
        },
      ],
    });
    this.modules = createServerModuleRunner(this.server.environments.ssr, { hmr: false });
    const { tests, without } = this.options.warm;
    this.paths = tests
      .flatMap((path) =>
        path.endsWith(".ts") ? [path] : readdirSync(path, { recursive: true }).map((one) => join(path, one)),
      )
      .filter((path) => /(?<!\.browser)\.test\.ts$/.test(path) && !without.some((left) => path.startsWith(left)))
      .sort();
    // Here and not in the first run: what loading takes would count for every mutant's time limit.
    await this.load();
  }

  async load() {
    this.modules.clearCache();
    vitest.suite.files = [];
    for (const path of this.paths) {
      vitest.beginFile(path);
      await this.modules.import(resolve(path));
    }
    this.files = vitest.suite.files;
  }

  async dryRun({ disableBail }) {
    const tests = await runTests(this.files, {
      bail: !disableBail,
      onTest: (id) => {
        this.mutants.currentTestId = id;
      },
    });
    return { status: "complete", tests, mutantCoverage: this.mutants.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, reloadEnvironment, disableBail }) {
    const attempt = async (anew) => {
      Object.assign(this.mutants, { hitCount: 0, hitLimit, currentTestId: undefined });
      this.mutants.activeMutant = mutantActivation === "static" ? activeMutant.id : undefined;
      if (anew || mutantActivation === "static") await this.load();
      this.mutants.activeMutant = activeMutant.id;
      const tests = await runTests(this.files, { wanted: testFilter && new Set(testFilter), bail: !disableBail });
      const hits = this.mutants.hitCount;
      this.mutants.activeMutant = undefined;
      return hits > hitLimit ? { status: "timeout", reason: `hit ${hits} times` } : verdict(tests);
    };
    const result = await attempt(reloadEnvironment);
    if (result.status !== "killed" || mutantActivation === "static") return result;
    const again = await runTests(this.files, { wanted: new Set(result.killedBy), bail: true });
    if (again.every(({ status }) => status === 0)) return result;
    this.log.warn(`mutant ${activeMutant.id} left something behind: loading anew (${result.killedBy[0]})`);
    await this.load();
    const retried = await attempt(false);
    if (retried.status === "killed") await this.load();
    return retried;
  }

  async dispose() {
    await this.modules?.close();
    await this.server?.close();
  }
}

function verdict(tests) {
  const failed = tests.filter(({ status }) => status === 1);
  if (failed.length === 0) return { status: "survived", nrOfTests: tests.length };
  return {
    status: "killed",
    nrOfTests: tests.length,
    killedBy: failed.map(({ id }) => id),
    failureMessage: failed[0].failureMessage,
  };
}

const create = (options, log) => new WarmRunner(options, log);
create.inject = ["options", "logger"];

export const strykerPlugins = [{ kind: "TestRunner", name: "warm", factory: create }];
