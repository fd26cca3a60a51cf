import type { Command } from "commander";
import { Option } from "commander";
import { exitCodes } from "../../scenario/index.ts";
import type { HistoriesReport } from "../../testing/index.ts";
import { ink } from "../ink.ts";
import { seedOption, wholeOption } from "../number-options.ts";
import { UsageError } from "../usage-error.ts";

interface LibraryOptions {
  readonly seed: number[];
  readonly minutes?: number;
  readonly operations?: number;
  readonly history?: number;
  readonly json?: true;
  readonly quiet?: true;
}

const DEFAULT_MINUTES = 1;

/** Random trials of parts by themselves, each a command that prints how to repeat what failed. */
export function addSwarmCommand(program: Command): void {
  const swarm = program
    .command("swarm")
    .summary("random histories against the compaction library, with the seed that repeats a failure")
    .description(
      "Plays random histories, checks every promise after every step, and stops at the first that is broken.",
    );
  swarm
    .command("library")
    .summary(
      "the compaction library by itself: appends, clears, compactions, aborts, resumes, lying and hanging worlds",
    )
    .description(
      "Plays random histories against the compaction library: small windows, every layer, a server that counts by rates of its own, a summariser that fails,\n" +
        "hangs and lies, aborts at any moment, resumes from saved state. After each operation every promise is checked. Exit 3 on a broken one.",
    )
    .addOption(new Option("--seed <N>", "seed of all histories").argParser(seedOption).default([1], "1"))
    .addOption(new Option("--minutes <M>", `play so long; default ${DEFAULT_MINUTES}`).argParser(wholeOption(1, 1_440)))
    .addOption(
      new Option("--operations <N>", "play so many operations, to the end of the history that reaches them")
        .argParser(wholeOption(1, 1_000_000_000))
        .conflicts("minutes"),
    )
    .addOption(
      new Option("--history <N>", "play only this history of the seed")
        .argParser(wholeOption(0, 1_000_000_000))
        .conflicts(["minutes", "operations"]),
    )
    .option("--json", "print the report as JSON")
    .option("--quiet", "no progress line")
    .addHelpText(
      "after",
      "\nExamples:\n  longhaul swarm library --minutes 10\n  longhaul swarm library --seed 7 --operations 100000\n  longhaul swarm library --seed 7 --history 121",
    )
    .action(swarmLibrary);
}

async function swarmLibrary(options: LibraryOptions): Promise<void> {
  const { playHistories } = await import("../../testing/index.ts").catch(explainMissing);
  const [seed = 1] = options.seed;
  const began = Date.now();
  const endsAt = began + (options.minutes ?? DEFAULT_MINUTES) * 60_000;
  const line = progressLine(options.quiet === true || options.json === true);
  const report = await playHistories({
    seed,
    from: options.history ?? 0,
    goesOn: (so) => {
      line.show(`${count(so.histories)} histories, ${count(so.operations)} operations`);
      if (options.history !== undefined) return so.histories < 1;
      if (options.operations !== undefined) return so.operations < options.operations;
      return Date.now() < endsAt;
    },
  });
  line.clear();
  const seconds = (Date.now() - began) / 1_000;
  console.log(options.json ? JSON.stringify({ ...report, seconds }, null, 2) : reportLines(report, seconds).join("\n"));
  if (report.broken === null) return;
  process.exitCode = exitCodes.invariantBroken;
  if (process.env.LONGHAUL_DEBUG === "1") console.error(report.broken.stack);
}

function reportLines(report: HistoriesReport, seconds: number): readonly string[] {
  const { seed, histories, operations, compactions, compactedAgain, failed, aborted, broken } = report;
  const { full, drop, "session-memory": notes } = compactions;
  return [
    `${count(histories)} histories of seed ${seed}: ${count(operations)} operations in ${seconds.toFixed(1)} s, ${count(operations / seconds)} a second`,
    `compactions: ${count(full)} by summary, ${count(notes)} by session memory, ${count(drop)} by dropping rounds; ${count(failed)} failed, ${count(aborted)} were aborted`,
    `compacted more than once: ${count(compactedAgain)} of ${count(histories)} histories (${((100 * compactedAgain) / histories).toFixed(0)} %)`,
    `hash: ${report.hash}`,
    ...(broken === null
      ? [ink.good("no promise was broken")]
      : [
          `${ink.bad("broken")} in history ${broken.history}: ${broken.what}`,
          `replay: npx longhaul swarm library --seed ${seed} --history ${broken.history}`,
        ]),
  ];
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

interface Line {
  show(text: string): void;
  clear(): void;
}

/** One line on a terminal, drawn four times a second at most. */
function progressLine(quiet: boolean): Line {
  if (quiet || !process.stderr.isTTY || (process.env.CI ?? "") !== "") return { show: () => {}, clear: () => {} };
  let drawnAt = 0;
  return {
    show: (text) => {
      if (Date.now() - drawnAt < 250) return;
      drawnAt = Date.now();
      process.stderr.write(`\r\u001b[K${ink.quiet(text)}`);
    },
    clear: () => process.stderr.write("\r\u001b[K"),
  };
}

/** The package has fast-check as an optional peer. */
function explainMissing(error: unknown): never {
  const missing = error instanceof Error && /Cannot find package 'fast-check'/.test(error.message);
  throw missing ? new UsageError("swarm needs fast-check; type: npm install --save-dev fast-check") : error;
}
