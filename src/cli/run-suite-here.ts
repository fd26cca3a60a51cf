import type { Job, RunResult, Scenario, SuiteResult } from "../scenario/index.ts";
import { jobName, jobsOf, notDeterministic, plannedRounds, runSuite } from "../scenario/index.ts";
import type { Transport } from "../simulate/index.ts";
import { createProgressLine } from "./progress-line.ts";
import { fileName, reportFiles } from "./report-files.ts";
import { createSessionPool, Stopped } from "./session-pool.ts";
import { isUsersMistake } from "./usage-error.ts";
import { writeFileWhole } from "./write-file.ts";

/** Weight of a recorded session in the estimate of the time left. */
const usualRounds = 200;

export interface RunHereOptions {
  /** Folder of the reports. */
  readonly out: string;
  readonly transport: Transport;
  readonly workers: number;
  readonly seeds: readonly number[] | undefined;
  readonly whole: boolean;
  readonly checkDeterminism: boolean;
  readonly quiet: boolean;
}

/** Runs the scenarios in processes of their own and leaves records and pages; a run that is alone leaves the suite's page as it was. Ctrl-C ends it early with what is finished; a second one ends the program at once. Throws a user's mistake that shows only when a session is set up. */
export async function runSuiteHere(scenarios: readonly Scenario[], options: RunHereOptions): Promise<SuiteResult> {
  const files = reportFiles(options.out);
  const pool = createSessionPool(options.workers);
  const jobs = jobsOf(scenarios, options.seeds);
  const alone = jobs.length === 1;
  const plan = jobs.map((job) => ({
    key: keyOf(job),
    rounds: plannedRounds(job.scenario) ?? usualRounds,
  }));
  const progress = createProgressLine(plan, options.quiet);
  let mistake: Error | null = null;

  const play = async (job: Job): Promise<Pick<RunResult, "verdict" | "summary">> => {
    const { scenario, seed } = job;
    const task = {
      scenario,
      seed,
      transport: options.transport,
      record: files.record({ scenario: scenario.name, seed }),
    };
    const key = keyOf(job);
    let { verdict, summary } = await pool.do({ kind: "run", ...task }, ({ round }) => progress.update(key, round));
    if (options.checkDeterminism) {
      const difference = await pool.do({ kind: "run-again", ...task });
      if (difference !== null) verdict = notDeterministic(scenario, seed, verdict, difference);
    }
    const run: RunResult = { ...jobName(job), verdict, summary };
    await pool.do({ kind: "run-page", run, out: options.out, alone });
    progress.finish(key);
    return { verdict, summary };
  };

  const interrupt = onInterrupt(() => pool.stop());
  try {
    const suite = await runSuite(scenarios, {
      ...(options.seeds === undefined ? {} : { seeds: options.seeds }),
      whole: options.whole,
      run: (job) =>
        play(job).catch((error: unknown) => {
          if (error instanceof Stopped) return "not-run";
          if (!isUsersMistake(error)) throw error;
          mistake ??= error;
          pool.stop();
          return "not-run";
        }),
    });
    if (mistake !== null) throw mistake;
    const crashed = suite.runs.filter((run) => run.summary === null);
    await Promise.all(crashed.map((run) => pool.do({ kind: "run-page", run, out: options.out, alone })));
    if (!alone) {
      writeFileWhole(files.suite, `${JSON.stringify(suite)}\n`);
      await pool.do({ kind: "suite-page", suite, out: options.out });
    }
    return suite;
  } finally {
    interrupt.end();
    progress.clear();
    pool.close();
  }
}

function keyOf({ scenario, seed }: Job): string {
  return fileName({ scenario: scenario.name, seed });
}

/** First Ctrl-C: stop in good order. Second: at once. */
function onInterrupt(stop: () => void): { end: () => void } {
  let pressed = false;
  const handle = (): void => {
    if (pressed) process.exit(130);
    pressed = true;
    stop();
  };
  process.on("SIGINT", handle);
  return { end: () => process.off("SIGINT", handle) };
}
