import type { Command } from "commander";
import { Option } from "commander";
import { createRng } from "../../determinism/index.ts";
import { exitCodes } from "../../scenario/index.ts";
import type { ComparedFigure } from "../../workload/index.ts";
import { compareCorpus, corpusMix, sampleCorpus } from "../../workload/index.ts";
import { ink } from "../ink.ts";
import { seedOption, wholeOption } from "../number-options.ts";
import { countingLine } from "../progress-line.ts";
import { left, right, textTable } from "../text-table.ts";

interface CorpusOptions {
  readonly sessions: number;
  readonly seed: number[];
  readonly json?: true;
}

export function addCorpusCommand(measure: Command): void {
  measure
    .command("corpus")
    .summary("the generated sessions beside the measured ones")
    .description(
      "Generates sessions of all profiles and prints their distributions beside those of 456 real sessions (calibration.json). A figure of\n" +
        "at least 2 500 draws must be within 15 % (p99: 35 %), one of fewer within its 99 % interval (by order statistics, what a bootstrap converges to). Exit code 4 when one is not.",
    )
    .addOption(new Option("--sessions <N>", "sessions to generate").argParser(wholeOption(1, 100_000)).default(500))
    .addOption(new Option("--seed <N>", "seed").argParser(seedOption).default([1], "1"))
    .option("--json", "print the figures as JSON")
    .addHelpText("after", "\nExample:\n  longhaul measure corpus --sessions 100 --seed 7")
    .action(measureCorpus);
}

function measureCorpus({ sessions, seed: [seed = 1], json }: CorpusOptions): void {
  const line = countingLine("sessions", sessions, json === true);
  const figures = compareCorpus(sampleCorpus(sessions, createRng(seed).fork("corpus"), line.update));
  line.clear();
  const wrong = figures.filter(({ holds }) => !holds);
  if (json) console.log(JSON.stringify({ sessions, seed, mix: corpusMix, figures }, null, 2));
  else for (const text of corpusLines(sessions, figures)) console.log(text);
  if (wrong.some(({ excuse }) => excuse === null)) process.exitCode = exitCodes.expectationNotMet;
}

function corpusLines(sessions: number, figures: readonly ComparedFigure[]): readonly string[] {
  const total = corpusMix.reduce((sum, [, weight]) => sum + weight, 0);
  const mix = corpusMix.map(([profile, weight]) => `${profile} ${Math.round((weight / total) * 1000) / 10} %`);
  const table = textTable(
    [
      left("measure"),
      left("figure"),
      right("draws"),
      right("generated"),
      right("measured"),
      right("off"),
      left("held to"),
      left(""),
    ],
    figures.map((figure) => [
      figure.measure,
      figure.figure,
      String(figure.draws),
      plain(figure.generated),
      plain(figure.measured),
      percentOff(figure),
      figure.by === "tolerance" ? "tolerance" : `${plain(figure.low)} to ${plain(figure.high)}`,
      figure.holds ? "holds" : figure.excuse === null ? "OFF" : "off",
    ]),
    (padded, row, column) => (column === 7 && figures[row]?.holds === false ? ink.bad(padded) : padded),
  );
  const wrong = figures.filter(({ holds }) => !holds);
  return [
    `${sessions} sessions: ${mix.join(", ")}`,
    "",
    ...table,
    "",
    wrong.length === 0 ? "Every figure holds." : `${wrong.length} of ${figures.length} figures do not hold:`,
    ...wrong.map(
      (figure) =>
        `  ${figure.measure} ${figure.figure}: ${percentOff(figure)}. ${figure.excuse ?? "No reason is known."}`,
    ),
  ];
}

function percentOff({ generated, measured }: ComparedFigure): string {
  if (measured === 0) return generated === 0 ? "0 %" : "new";
  const off = Math.round((generated / measured - 1) * 1000) / 10;
  return `${off > 0 ? "+" : ""}${off.toFixed(1)} %`;
}

function plain(value: number): string {
  if (!Number.isFinite(value)) return "∞";
  return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 1000) / 1000);
}
