import type { DigestedRecord } from "./digest.ts";
import type { RunRecord } from "./events.ts";

/** What was run on: label → value, shown in this order. Whoever measures fills it; a page adds nothing. */
export type Environment = Readonly<Record<string, string>>;

/** How a run was judged. `failed`: an expectation or an invariant did not hold. */
export type Outcome = "passed" | "failed" | "crashed" | "not-deterministic";

/** One thing that was not as it should be, with the command that repeats it (scenarios.md Y6). */
export interface FailureInput {
  readonly what: string;
  /** Turn and request. */
  readonly where: string;
  readonly expected: string;
  readonly got: string;
  readonly replay: string;
}

/** One judged run. */
export interface RunInput {
  readonly scenario: string;
  readonly seed: string;
  /** Why the scenario exists, one sentence. */
  readonly why: string;
  readonly verdict: Outcome;
  readonly failures: readonly FailureInput[];
  readonly record: RunRecord;
  /** File of the run's page, relative to the suite's. */
  readonly href: string;
}

/** What a metric's figures mean (simulation.md O2). */
export interface MetricMeaning {
  readonly name: string;
  readonly unit: string;
  readonly formula: string;
}

export interface RunPageInput {
  readonly run: RunInput;
  readonly environment: Environment;
  /** File of the suite's page, relative to this one; left out when there is none. */
  readonly suiteHref?: string;
  readonly metricMeanings?: readonly MetricMeaning[];
}

/** A branch that the suite as a whole must take (scenarios.md Y4). */
export interface RareBranch {
  readonly name: string;
  readonly hits: number;
}

/** A deliberately broken layer, and the scenarios that noticed (scenarios.md Y9). */
export interface MutantInput {
  readonly name: string;
  readonly caughtBy: readonly string[];
}

/** A run as the suite's page needs it: with its record, or with what `digestRecord` made of it, so that not all records need be held at once. */
export type SuiteRun = Omit<RunInput, "record"> & (Pick<RunInput, "record"> | { readonly digested: DigestedRecord });

export type CrashedRun = Pick<RunInput, "scenario" | "seed" | "why" | "failures">;

export interface SuiteInput {
  readonly title: string;
  readonly runs: readonly SuiteRun[];
  /** Runs that left no record: they count as failed. */
  readonly crashed?: readonly CrashedRun[];
  readonly sometimes: readonly RareBranch[];
  readonly mutants?: readonly MutantInput[];
  readonly environment: Environment;
}

/** One timed subject at one size. Times are milliseconds per call. */
export interface BenchRow {
  readonly name: string;
  /** Size of the input, messages. */
  readonly n: number;
  readonly median: number;
  /** Interval of the median. */
  readonly low: number;
  readonly high: number;
  readonly p99: number;
  readonly opsPerSecond: number;
  /** Against the committed baseline: 0.1 is a tenth slower. Left out when there is none. */
  readonly change?: number;
  readonly verdict?: "faster" | "slower" | "same" | "not comparable";
  /** Exponent of time against n, fitted over all sizes of this name, with its interval, and the most that is declared. */
  readonly growth?: {
    readonly exponent: number;
    readonly low: number;
    readonly high: number;
    readonly declared: number;
  };
}

export interface BenchInput {
  readonly title?: string;
  readonly rows: readonly BenchRow[];
  readonly environment: Environment;
  /** What the figures are compared with, e.g. `bench/baseline.json, Node 20.20.2`; left out when there is none. */
  readonly baseline?: string;
}

/** Two suites, the older first. */
export interface CompareInput {
  readonly title: string;
  readonly before: { readonly name: string; readonly suite: SuiteInput };
  readonly after: { readonly name: string; readonly suite: SuiteInput };
}
