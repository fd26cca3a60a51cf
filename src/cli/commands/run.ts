import { appendFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { Option } from "commander";
import type { Scenario, SuiteResult } from "../../scenario/index.ts";
import { exitCode, githubAnnotations, githubSummary, junitXml } from "../../scenario/index.ts";
import type { Transport } from "../../simulate/index.ts";
import { transports } from "../../simulate/index.ts";
import { loadScenarios } from "../load-scenarios.ts";
import { seedOption, seedsOption, wholeOption } from "../number-options.ts";
import { reportFiles } from "../report-files.ts";
import { runSuiteHere } from "../run-suite-here.ts";
import { suiteText } from "../suite-text.ts";
import { UsageError } from "../usage-error.ts";
import { writeFileWhole } from "../write-file.ts";

interface RunOptions {
  readonly seed?: number[];
  readonly seeds?: number[];
  readonly variant?: string;
  readonly out: string;
  readonly transport: Transport;
  readonly workers: number;
  readonly json?: true;
  readonly junit?: string;
  readonly github?: true;
  readonly checkDeterminism?: true;
  readonly quiet?: true;
}

export function addRunCommand(program: Command): void {
  program
    .command("run")
    .summary("run scenarios and judge them")
    .description(
      "Runs scenario files, or every scenario of the suite where none is named: a simulated session each, judged by what the file expects.\n" +
        "Exit code: 0 all verdicts hold, 1 crash, 2 wrong usage, 3 invariant broken, 4 expectation not met, 5 not deterministic,\n" +
        "6 a rare branch that the whole suite must take was never taken, 130 stopped.",
    )
    .argument("[FILE...]", "scenario files or folders")
    .addOption(new Option("--seed <N>", "run at this seed instead of the file's").argParser(seedOption))
    .addOption(
      new Option("--seeds <LIST>", "run at each of these seeds: 1-20 or 1-5,9")
        .argParser(seedsOption)
        .conflicts("seed"),
    )
    .option("--variant <TEXT>", "only this combination of a file's matrix, such as provider=bedrock")
    .option("--out <FOLDER>", "where records and pages go", "reports")
    .addOption(new Option("--transport <WAY>", "how requests reach the mock").choices([...transports]).default("msw"))
    .addOption(
      new Option("--workers <N>", "processes that run sessions; the results are the same for any number")
        .argParser(wholeOption(1, 256))
        .default(availableParallelism(), "one for each core"),
    )
    .option("--check-determinism", "run everything twice and compare event by event")
    .option("--json", "print the result as JSON")
    .option("--junit <FILE>", "write JUnit XML as well")
    .option("--github", "write GitHub's step summary and annotations as well")
    .option("--quiet", "print only what failed")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  longhaul run                                            the whole suite\n" +
        "  longhaul run scenarios/prompt-too-long.yaml --seed 7    one run\n" +
        "  longhaul run scenarios/breaker.yaml --seeds 1-20 --json  twenty seeds, for a machine\n" +
        "  longhaul run --check-determinism --junit junit.xml      as CI does it",
    )
    .action(run);
}

async function run(paths: readonly string[], options: RunOptions): Promise<void> {
  const scenarios = chosen(loadScenarios(paths), options.variant);
  const suite = await runSuiteHere(scenarios, {
    out: options.out,
    transport: options.transport,
    workers: options.workers,
    seeds: options.seeds ?? options.seed,
    whole: paths.length === 0 && options.variant === undefined,
    checkDeterminism: options.checkDeterminism ?? false,
    quiet: (options.quiet ?? false) || (options.json ?? false),
  });
  if (options.junit !== undefined) writeFileWhole(options.junit, junitXml(suite));
  if (options.github) tellGithub(suite);
  tell(suite, options);
  process.exitCode = exitCode(suite);
}

function chosen(scenarios: readonly Scenario[], variant: string | undefined): readonly Scenario[] {
  if (variant === undefined) return scenarios;
  const those = scenarios.filter((scenario) => scenario.variant === variant);
  if (those.length > 0) return those;
  const known = scenarios.map((scenario) => scenario.variant).filter((name) => name !== "");
  throw new UsageError(
    `--variant ${variant}: there is no such combination${known.length === 0 ? "; no matrix in what was named" : ` (known: ${known.join("; ")})`}`,
  );
}

function tell(suite: SuiteResult, options: RunOptions): void {
  const files = reportFiles(options.out);
  const code = exitCode(suite);
  const [only, ...others] = suite.runs;
  const alone = only !== undefined && others.length === 0;
  const report = alone ? files.page(only) : files.index;
  if (options.json) {
    console.log(JSON.stringify({ exitCode: code, report, ...suite }, null, 2));
    return;
  }
  if (options.quiet && code === 0) return;
  console.log(suiteText(suite));
  if (alone && only.summary !== null) console.log(`\nrun hash: ${only.summary.hash}`);
  console.log(`\nreport:   ${report}`);
}

function tellGithub(suite: SuiteResult): void {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file !== undefined && file !== "") appendFileSync(file, githubSummary(suite));
  for (const annotation of githubAnnotations(suite)) console.log(annotation);
}
