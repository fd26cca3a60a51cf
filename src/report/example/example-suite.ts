import type { BenchInput, RunInput, SuiteInput } from "../input.ts";
import { exampleRecord } from "./example-record.ts";

/** A made-up run: with trouble it failed. */
export function exampleRun(scenario: string, seed: number, trouble: boolean, rounds = 150): RunInput {
  const replay = `npx longhaul run scenarios/${scenario}.yaml --seed ${seed}`;
  const failure = {
    what: "expectation violations{kind:constraint} == 0",
    where: "turn 14, round 97",
    expected: "violations{kind:constraint} == 0",
    got: "2",
    replay,
  };
  return {
    scenario,
    seed: String(seed),
    why: trouble
      ? "A burst of 529s, a summary that is empty three times and a prompt that is too long: the session must still finish."
      : "A long bug fix without any fault.",
    verdict: trouble ? "failed" : "passed",
    failures: trouble ? [failure] : [],
    record: exampleRecord({ scenario, seed, rounds, trouble }),
    href: `${scenario}-${seed}.html`,
  };
}

/** A made-up suite of short runs, two of which failed, with one rare branch never taken and one mutant not caught. */
export function exampleSuite(): SuiteInput {
  const calm = [
    "clean-bugfix",
    "clean-refactor",
    "threshold-boundary",
    "idle-61-minutes",
    "notes-current",
    "one-huge-result",
  ];
  return {
    title: "longhaul: scenario suite",
    runs: [
      ...calm.flatMap((scenario) => [1, 2].map((seed) => exampleRun(scenario, seed, false, 60))),
      exampleRun("faults-everywhere", 7, true, 90),
      exampleRun('prompt-too-long <in> "compaction" & more', 7, true, 90),
    ],
    sometimes: [
      { name: "event(compact_ptl_retry) at_least 1", hits: 2 },
      { name: "event(index_adjusted) at_least 1", hits: 14 },
      { name: "event(breaker_opened) at_least 1", hits: 2 },
      { name: "event(cache_edits_pinned) at_least 1", hits: 0 },
    ],
    mutants: [
      { name: "splits a tool pair", caughtBy: ["clean-bugfix", "one-huge-result"] },
      { name: "forgets to reset the breaker", caughtBy: [] },
    ],
    environment: { longhaul: "0.1.0", "Node.js": "20.20.2", platform: "linux x64" },
  };
}

/** A made-up bench: three subjects at three sizes against a baseline. */
export function exampleBench(): BenchInput {
  const subjects = [
    { name: "estimate, one more message", base: 0.0012, exponent: 0.02 },
    { name: "group into rounds", base: 0.0004, exponent: 0.99 },
    { name: "adjust the index", base: 0.0001, exponent: 1.31 },
  ];
  return {
    rows: subjects.flatMap(({ name, base, exponent }, index) =>
      [1, 10, 100].map((size) => {
        const median = base * (exponent < 0.5 ? 1 : size) * (1 + index / 10);
        return {
          name,
          n: size * 100,
          median,
          low: median * 0.95,
          high: median * 1.08,
          p99: median * 1.9,
          opsPerSecond: 1_000 / median,
          change: index === 2 ? 0.31 : index === 1 ? -0.22 : 0.01,
          verdict: index === 2 ? ("slower" as const) : index === 1 ? ("faster" as const) : ("same" as const),
          growth: { exponent, low: exponent - 0.04, high: exponent + 0.05, declared: index === 0 ? 0.1 : 1.1 },
        };
      }),
    ),
    baseline: "bench/baseline.json",
    environment: { "Node.js": "20.20.2", processor: "2 cores" },
  };
}
