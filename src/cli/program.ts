import { Command, CommanderError } from "commander";
import { exitCodes } from "../scenario/index.ts";
import { longhaulVersion } from "../simulate/index.ts";
import { addBenchCommand } from "./commands/bench.ts";
import { addGenerateCommand } from "./commands/generate.ts";
import { addListCommand } from "./commands/list.ts";
import { addMeasureCommand } from "./commands/measure.ts";
import { addReplayCommand } from "./commands/replay.ts";
import { addReportCommand } from "./commands/report.ts";
import { addRunCommand } from "./commands/run.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addSwarmCommand } from "./commands/swarm.ts";
import { ink } from "./ink.ts";
import { isUsersMistake } from "./usage-error.ts";

/** Does what the command line says; the outcome is the process's exit code. Never rejects. */
export async function runProgram(words: readonly string[]): Promise<void> {
  try {
    const root = program();
    if (words.length === 0) root.outputHelp();
    else await root.parseAsync(words, { from: "user" });
  } catch (error) {
    process.exitCode = explainFailure(error, words);
  }
}

function program(): Command {
  const root = new Command("longhaul")
    .description(
      "A proving ground for context compaction: long agent sessions, simulated, faulted and judged in seconds.",
    )
    .version(longhaulVersion)
    .option("--no-color", "plain text")
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: () => {} })
    .helpCommand("help [COMMAND]", "show the help of a command")
    .addHelpText(
      "after",
      "\nExamples:\n  longhaul run\n  longhaul run scenarios/prompt-too-long.yaml --seed 7\n  longhaul list scenarios\n\nEach command has --help with examples.",
    );
  addRunCommand(root);
  addBenchCommand(root);
  addGenerateCommand(root);
  addListCommand(root);
  addMeasureCommand(root);
  addReplayCommand(root);
  addReportCommand(root);
  addServeCommand(root);
  addSwarmCommand(root);
  return root;
}

/** Says on stderr what went wrong and gives the exit code: one line for a user's mistake, the way to repeat it for a crash. */
function explainFailure(error: unknown, words: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok;
    if (error.code === "commander.help") return exitCodes.usage; // A group without a command: its help has been shown.
    return mistake(error.message.replace(/^error: /, ""));
  }
  if (isUsersMistake(error)) return mistake(error.message);
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  console.error(`${ink.bad("longhaul crashed")}: ${message}`);
  console.error(`replay: npx longhaul ${words.join(" ")}`);
  if (process.env.LONGHAUL_DEBUG === "1") console.error(stack);
  else console.error("LONGHAUL_DEBUG=1 shows where.");
  return exitCodes.crash;
}

function mistake(message: string): number {
  console.error(`longhaul: ${message.replace(/\s*\n\s*/g, " ")}`);
  return exitCodes.usage;
}
