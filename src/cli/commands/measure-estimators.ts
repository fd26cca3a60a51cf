import type { Command } from "commander";
import { Argument, Option } from "commander";
import { exitCodes } from "../../scenario/index.ts";
import type { ErrorOf, EstimatorError, EstimatorReport } from "../../simulate/index.ts";
import { measureEstimators } from "../../simulate/index.ts";
import type { ProfileName } from "../../workload/index.ts";
import { profileNames } from "../../workload/index.ts";
import { ink } from "../ink.ts";
import { seedsOption, wholeOption } from "../number-options.ts";
import { createProgressLine } from "../progress-line.ts";
import { left, right, textTable } from "../text-table.ts";

interface EstimatorsOptions {
  readonly seeds: readonly number[];
  readonly rounds: number;
  readonly goal: number;
  readonly json?: true;
  readonly quiet?: true;
}

/** What the calibrated estimator has to reach: the percentage by which nine of ten guesses may be off, on every profile (T6). */
const usualGoal = 10;

export function addEstimatorsCommand(measure: Command): void {
  measure
    .command("estimators")
    .summary("how far the token estimators are from what the server counts")
    .description(
      "Holds the rule of thumb (rough) and the calibrated estimator against the hidden true count of the server, before every request of sessions of\n" +
        "every profile, for two generations of tokenizers. Cold: no usage enters a figure; the calibrated one has learned its rates from earlier rounds.\n" +
        `Exit code ${exitCodes.expectationNotMet} if nine of ten calibrated guesses are not within the goal on every profile.`,
    )
    .addArgument(new Argument("[PROFILE...]", "only these kinds of session").choices([...profileNames]))
    .addOption(new Option("--seeds <LIST>", "as in 1-5,9").argParser(seedsOption).default([1, 2, 3, 4, 5], "1-5"))
    .addOption(
      new Option("--rounds <N>", "length of each session in API rounds").argParser(wholeOption(3, 2_000)).default(60),
    )
    .addOption(
      new Option("--goal <PERCENT>", "how far off nine of ten guesses may be")
        .argParser(wholeOption(0, 100))
        .default(usualGoal),
    )
    .option("--json", "print the figures as one JSON object")
    .option("--quiet", "print nothing")
    .addHelpText(
      "after",
      "\nExamples:\n  longhaul measure estimators\n  longhaul measure estimators polyglot-cjk image-heavy --seeds 1-20 --json",
    )
    .action(estimators);
}

function estimators(named: readonly ProfileName[], { seeds, rounds, goal, json, quiet }: EstimatorsOptions): void {
  const profiles = named.length > 0 ? named : profileNames;
  const plan = profiles.flatMap((profile) => seeds.map((seed) => ({ key: `${profile} ${seed}`, rounds })));
  const progress = createProgressLine(plan, quiet === true);
  const report = measureEstimators({ profiles, seeds, rounds }, (profile, seed) =>
    progress.finish(`${profile} ${seed}`),
  );
  progress.clear();
  const missed = report.profiles.filter(({ calibrated }) => !(100 * calibrated.p90 <= goal));
  if (json) console.log(JSON.stringify({ goalPercent: goal, met: missed.length === 0, seeds, rounds, ...report }));
  else if (!quiet) console.log(reportText(report, missed, goal));
  if (missed.length > 0) process.exitCode = exitCodes.expectationNotMet;
}

function reportText({ profiles, kinds }: EstimatorReport, missed: readonly EstimatorError[], goal: number): string {
  const worst = (pick: (error: EstimatorError) => ErrorOf): string =>
    percent(Math.max(...profiles.map((error) => pick(error).p90)));
  return [
    "Error of a cold estimate against the server's count: median and p90",
    "",
    "Whole requests, by profile",
    ...table("profile", "requests", profiles),
    "",
    "Single texts of 400 characters or more, by what the estimator takes them for",
    ...table("kind", "texts", kinds.toSorted(byKind)),
    "",
    `On the worst profile p90 is ${worst(({ calibrated }) => calibrated)} calibrated, ${worst(({ rough }) => rough)} by the rule of thumb. ` +
      (missed.length === 0
        ? ink.good(`Calibrated is within ${goal} % on every profile.`)
        : ink.bad(`Not within ${goal} %: ${missed.map(({ of, tokenizer }) => `${of} (${tokenizer})`).join(", ")}.`)),
  ].join("\n");
}

function table(title: string, samples: string, errors: readonly EstimatorError[]): string[] {
  return textTable(
    [left(title), left("tokenizer"), right(samples), right("rough"), right("p90"), right("calibrated"), right("p90")],
    errors.map((error) => [
      error.of,
      error.tokenizer,
      String(error.samples),
      percent(error.rough.p50),
      percent(error.rough.p90),
      percent(error.calibrated.p50),
      percent(error.calibrated.p90),
    ]),
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function byKind(a: EstimatorError, b: EstimatorError): number {
  return b.tokenizer < a.tokenizer ? -1 : b.tokenizer > a.tokenizer ? 1 : b.samples - a.samples;
}
