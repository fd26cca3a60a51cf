import { expect, test } from "vitest";
import { exitCode } from "./exit-code.ts";
import { githubAnnotations, githubSummary } from "./github-summary.ts";
import type { Failure, Verdict } from "./judge.ts";
import { junitXml } from "./junit.ts";
import type { Scenario } from "./load.ts";
import { defineScenario } from "./load.ts";
import type { SuiteResult } from "./suite.ts";
import { runSuite } from "./suite.ts";
import type { RunSummary } from "./summarise.ts";

const scenario = (name: string): Scenario => {
  const [only] = defineScenario(`scenarios/${name}.yaml`, {
    why: "A scenario of a test.",
    seeds: "1-2",
    session: { profile: "bugfix", rounds: 10 },
    expect: ["ends == completed"],
  });
  if (only === undefined) throw new Error("no scenario");
  return only;
};

const failure: Failure = {
  what: "expectation dollars < 1",
  expected: "dollars < 1",
  got: "3 & more",
  turn: 2,
  round: 9,
  before: [],
  replay: "npx longhaul run scenarios/a.yaml --seed 1",
};
const passed: Verdict = { kind: "passed", failures: [], sometimes: {} };
const failed: Verdict = { kind: "expectation-not-met", failures: [failure], sometimes: {} };
const summary: RunSummary = {
  hash: "h",
  rounds: 10,
  turns: 1,
  requests: 12,
  layers: { micro: 1, auto: 1, sessionMemory: 0, full: 1, retries: 0 },
  faults: 0,
  tokens: 1_000,
  dollars: 0.1,
  cacheHitRate: 0.9,
  peakContext: 900,
  virtualSeconds: 60,
};
const suiteOf = (verdicts: readonly Verdict[], more: Partial<SuiteResult> = {}): SuiteResult => ({
  runs: verdicts.map((verdict, i) => ({
    scenario: "a",
    file: "scenarios/a.yaml",
    variant: "",
    why: "A scenario of a test.",
    seed: i + 1,
    verdict,
    summary,
  })),
  sometimes: [],
  whole: true,
  unfinished: 0,
  ...more,
});

test("Y5: results stand in the order of scenarios and seeds, however long each run takes", async () => {
  const finished: string[] = [];
  const suite = await runSuite([scenario("a"), scenario("b")], {
    whole: true,
    run: async ({ scenario: { name }, seed }) => {
      for (let i = 0; i < (name === "a" ? 20 : 1); i++) await Promise.resolve();
      return { verdict: passed, summary: { ...summary, hash: `${name}${seed}` } };
    },
    onResult: (result) => finished.push(`${result.scenario}${result.seed}`),
  });
  expect(suite.runs.map((run) => run.summary?.hash)).toEqual(["a1", "a2", "b1", "b2"]);
  expect(finished[0]).toBe("b1");
});

test("Y5: a run that crashes fails alone, with its replay line", async () => {
  const suite = await runSuite([scenario("a")], {
    seeds: [4, 5],
    whole: false,
    run: async ({ seed }) => {
      if (seed === 4) throw new Error("out of memory");
      return { verdict: passed, summary };
    },
  });
  expect(suite.runs.map((run) => run.verdict.kind)).toEqual(["crashed", "passed"]);
  expect(suite.runs[0]?.verdict.failures).toMatchObject([
    { got: "out of memory", replay: "npx longhaul run scenarios/a.yaml --seed 4" },
  ]);
  expect(exitCode(suite)).toBe(1);
});

test("Y4: a rare branch is hit by the suite if one run hits it", async () => {
  const rare = (hit: boolean): Verdict => ({ ...passed, sometimes: { "event(breaker_opened) at_least 1": hit } });
  const run = (hits: readonly number[]): Promise<SuiteResult> =>
    runSuite([scenario("a"), scenario("b")], {
      whole: true,
      run: async ({ seed }) => ({ verdict: rare(hits.includes(seed)), summary }),
    });
  const hit = await run([2]);
  expect(hit.sometimes).toEqual([{ text: "event(breaker_opened) at_least 1", scenarios: ["a", "b"], hits: 2 }]);
  expect(exitCode(hit)).toBe(0);
  const missed = await run([]);
  expect(exitCode(missed)).toBe(6);
  expect(exitCode({ ...missed, whole: false })).toBe(0);
});

test.each([
  [0, suiteOf([passed])],
  [1, suiteOf([failed, { ...failed, kind: "crashed" }])],
  [3, suiteOf([failed, { ...failed, kind: "invariant-broken" }])],
  [4, suiteOf([passed, failed], { sometimes: [{ text: "x", scenarios: ["a"], hits: 0 }] })],
  [
    5,
    suiteOf([
      { ...failed, kind: "invariant-broken" },
      { ...failed, kind: "not-deterministic" },
    ]),
  ],
  [6, suiteOf([passed], { sometimes: [{ text: "x", scenarios: ["a"], hits: 0 }] })],
  [130, suiteOf([failed], { unfinished: 1 })],
])("Y5: exit code %i", (code, suite) => {
  expect(exitCode(suite)).toBe(code);
});

test("Y5: JUnit XML counts what the verdict counts, and escapes what XML cannot hold", () => {
  const nasty: Verdict = { ...failed, failures: [{ ...failure, got: '<"&\u0000\ud800>' }] };
  const xml = junitXml(suiteOf([passed, nasty, { ...failed, kind: "crashed" }]));
  expect(xml).toContain('tests="3" failures="1" errors="1"');
  expect(xml).toContain("got: &lt;&quot;&amp;\ufffd\ufffd&gt;");
  expect(xml).toContain("replay: npx longhaul run scenarios/a.yaml --seed 1");
  expect(junitXml(suiteOf([passed], { sometimes: [{ text: "x", scenarios: ["a"], hits: 0 }] }))).toContain(
    'tests="2" failures="1" errors="0"',
  );
});

test("R8: GitHub gets a summary with every run, and at most nine annotations on one line each", () => {
  const markdown = githubSummary(suiteOf([passed, failed]));
  expect(markdown).toContain("1 passed, 1 failed");
  expect(markdown).toContain("| a | 2 | expectation-not-met | 10 | 1 | 0 | 1 | 1000 | 0.10 |");
  expect(markdown).toContain(failure.replay);
  const annotations = githubAnnotations(suiteOf(Array.from({ length: 20 }, () => failed)));
  expect(annotations).toHaveLength(9);
  expect(annotations[0]).toBe(
    "::error file=scenarios/a.yaml,title=a seed 1%3A expectation dollars < 1::got 3 & more at turn 2, round 9%0Areplay: npx longhaul run scenarios/a.yaml --seed 1",
  );
});
