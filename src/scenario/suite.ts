import type { Failure, Verdict } from "./judge.ts";
import type { Scenario } from "./load.ts";
import { replayCommand } from "./replay-command.ts";
import type { RunSummary } from "./summarise.ts";

/** One run of a suite: a scenario at a seed. */
export interface Job {
  readonly scenario: Scenario;
  readonly seed: number;
}

/** What a run came to. Plain data. */
export interface RunResult {
  readonly scenario: string;
  readonly file: string;
  readonly variant: string;
  readonly why: string;
  readonly seed: number;
  readonly verdict: Verdict;
  /** Null when the run crashed. */
  readonly summary: RunSummary | null;
}

/** A rare branch, and in how many runs of those that look for it it was hit (Y4). */
export interface RareBranch {
  readonly text: string;
  readonly scenarios: readonly string[];
  readonly hits: number;
}

export interface SuiteResult {
  /** In the order of the scenarios and their seeds, however they were run. */
  readonly runs: readonly RunResult[];
  readonly sometimes: readonly RareBranch[];
  /** Whether a rare branch that was never hit fails it: a part of a suite need not hit what the whole must. */
  readonly whole: boolean;
  /** The runs that were not finished when the user stopped it. */
  readonly unfinished: number;
}

export interface SuiteOptions {
  /** In place of the scenarios' own. */
  readonly seeds?: readonly number[];
  readonly whole: boolean;
  /** Runs and judges one job. A rejection is a crash of that run. Jobs are offered all at once: the runner decides how many it takes. */
  readonly run: (job: Job) => Promise<Pick<RunResult, "verdict" | "summary"> | "not-run">;
  /** Called as each run ends, in any order. */
  readonly onResult?: (result: RunResult, done: number, total: number) => void;
}

/** The jobs of a suite, in the order of its results. */
export function jobsOf(scenarios: readonly Scenario[], seeds?: readonly number[]): Job[] {
  return scenarios.flatMap((scenario) => (seeds ?? scenario.seeds).map((seed) => ({ scenario, seed })));
}

/** What tells a job from every other, and why it is there. */
export function jobName({ scenario, seed }: Job): Pick<RunResult, "scenario" | "file" | "variant" | "why" | "seed"> {
  const { name, file, variant, why } = scenario;
  return { scenario: name, file, variant, why, seed };
}

/** Runs every scenario at every seed and gathers the verdicts. Never rejects: a run that crashes is a run that failed. */
export async function runSuite(scenarios: readonly Scenario[], options: SuiteOptions): Promise<SuiteResult> {
  const jobs = jobsOf(scenarios, options.seeds);
  let done = 0;
  const runs = await Promise.all(
    jobs.map(async (job): Promise<RunResult | null> => {
      const outcome = await options.run(job).catch((error: unknown) => crash(job, error));
      done++;
      if (outcome === "not-run") return null;
      const result: RunResult = { ...jobName(job), ...outcome };
      options.onResult?.(result, done, jobs.length);
      return result;
    }),
  );
  const finished = runs.filter((run) => run !== null);
  return {
    runs: finished,
    sometimes: coverage(finished),
    whole: options.whole,
    unfinished: runs.length - finished.length,
  };
}

function crash({ scenario, seed }: Job, error: unknown): Pick<RunResult, "verdict" | "summary"> {
  const failure: Failure = {
    what: "crash",
    expected: "the run ends by itself",
    got: error instanceof Error ? error.message : String(error),
    turn: null,
    round: null,
    before: [],
    replay: replayCommand(scenario, seed),
  };
  return { verdict: { kind: "crashed", failures: [failure], sometimes: {} }, summary: null };
}

function coverage(runs: readonly RunResult[]): RareBranch[] {
  const branches = new Map<string, { scenarios: Set<string>; hits: number }>();
  for (const run of runs) {
    for (const [text, hit] of Object.entries(run.verdict.sometimes)) {
      const branch = branches.get(text) ?? { scenarios: new Set(), hits: 0 };
      branch.scenarios.add(run.scenario);
      if (hit) branch.hits++;
      branches.set(text, branch);
    }
  }
  return [...branches].map(([text, { scenarios, hits }]) => ({ text, scenarios: [...scenarios], hits }));
}
