import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { Option } from "commander";
import { strategyNames } from "../../agent/index.ts";
import type { ReadTranscript } from "../../replay/index.ts";
import type { RunResult } from "../../scenario/index.ts";
import { defineScenario, exitCodes, jobName, judge, summarise, toPlay } from "../../scenario/index.ts";
import type { Transport } from "../../simulate/index.ts";
import { replayFile, transports, writeRecord } from "../../simulate/index.ts";
import { findModel, models } from "../../tokens/index.ts";
import { seedOption, wholeOption } from "../number-options.ts";
import { readTranscriptFile } from "../read-transcript-file.ts";
import type { Replayed } from "../replay-text.ts";
import { replayText } from "../replay-text.ts";
import { reportFiles } from "../report-files.ts";
import { UsageError } from "../usage-error.ts";
import { writeFileWhole } from "../write-file.ts";

interface ReplayOptions {
  readonly strategy: (typeof strategyNames)[number];
  readonly model?: string;
  readonly window?: number;
  readonly seed: number[];
  readonly transport: Transport;
  readonly out: string;
  readonly json?: true;
  readonly quiet?: true;
}

export function addReplayCommand(program: Command): void {
  program
    .command("replay")
    .summary("play a recorded session through the four layers")
    .description(
      "Reads a Claude Code session file (JSONL) or Anthropic messages as JSON and plays it round by round through a strategy, as if each request\n" +
        "were about to be sent: where each layer would have acted, tokens and dollars with and without. Nothing leaves this machine.\n" +
        "Exit code: 0 all invariants hold, 3 one was broken.",
    )
    .argument("<FILE...>", "session files, or folders of them")
    .addOption(new Option("--strategy <NAME>", "what compacts").choices([...strategyNames]).default("four-layer"))
    .option("--model <ID>", "model to price and limit it by; default: the file's, else claude-sonnet-4-5")
    .addOption(
      new Option("--window <TOKENS>", "take the window for smaller than the model's").argParser(
        wholeOption(1_000, 1e9),
      ),
    )
    .addOption(new Option("--seed <N>", "seed of the hidden token rates").argParser(seedOption).default([1], "1"))
    .addOption(new Option("--transport <WAY>", "how requests reach the mock").choices([...transports]).default("fetch"))
    .option("--out <FOLDER>", "where record and page go", "reports")
    .option("--json", "print the result as JSON")
    .option("--quiet", "print only what failed")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  longhaul replay ~/.claude/projects/x/SESSION.jsonl\n" +
        "  longhaul replay ~/.claude/projects/x --strategy none --json",
    )
    .action(replay);
}

async function replay(paths: readonly string[], options: ReplayOptions): Promise<void> {
  const files = paths.flatMap(sessionFilesAt);
  let broken = false;
  for (const path of files) {
    const replayed = await replayOne(path, options);
    const passed = replayed.run.verdict.kind === "passed";
    broken ||= !passed;
    if (options.json) console.log(JSON.stringify(asJson(replayed, options)));
    else if (!options.quiet || !passed) console.log(replayText(replayed, reportFiles(options.out).page(replayed.run)));
  }
  process.exitCode = broken ? exitCodes.invariantBroken : exitCodes.ok;
}

function sessionFilesAt(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const files = readdirSync(path)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => join(path, name));
  if (files.length === 0) throw new UsageError(`${path}: there is no session file (*.jsonl) in this folder`);
  return files;
}

async function replayOne(path: string, options: ReplayOptions): Promise<Replayed> {
  const [seed = 1] = options.seed;
  const transcript = await readTranscriptFile(path);
  const [scenario] = defineScenario(path.replace(/\.jsonl?$/, ""), {
    why: "A recorded session, played again.",
    session: { transcript: path },
    model: { id: options.model ?? modelOf(transcript), window: options.window ?? null },
    strategy: { name: options.strategy },
    expect: ["rounds >= 1"],
  });
  if (scenario === undefined) throw new RangeError("a scenario without a matrix is one scenario");
  const play = toPlay(scenario, { seed, transport: options.transport });
  const replayed = await replayFile(transcript, play.spec);
  const verdict = judge(scenario, replayed.record);
  const command = `npx longhaul replay ${path} --strategy ${options.strategy} --seed ${seed}`;
  const run: RunResult = {
    ...jobName({ scenario, seed }),
    verdict: { ...verdict, failures: verdict.failures.map((failure) => ({ ...failure, replay: command })) },
    summary: summarise(replayed.record),
  };
  writeFileWhole(reportFiles(options.out).record(run), writeRecord(replayed.record));
  const { writeRunPage } = await import("../pages.ts"); // Vega takes a second to load: only who draws waits for it.
  await writeRunPage(run, options.out, true, async () => replayed.record);
  return { path, transcript, run, replay: replayed };
}

/** The model that wrote most of the session, where its price is known. */
function modelOf({ messages }: ReadTranscript): string {
  const counts = new Map<string, number>();
  for (const message of messages) {
    if (message.kind !== "assistant" || findModel(message.model) === undefined) continue;
    counts.set(message.model, (counts.get(message.model) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? usualModel;
}

const usualModel = models.find((model) => model.id === "claude-sonnet-4-5")?.id ?? "claude-sonnet-4-5";

function asJson({ path, transcript, run, replay }: Replayed, { out }: ReplayOptions): unknown {
  const { format, messages, irregularities } = transcript;
  return {
    path,
    format,
    messages: messages.length,
    irregularities,
    verdict: run.verdict,
    with: run.summary,
    without: summarise(replay.without),
    compactedInFile: replay.compactedInFile,
    report: reportFiles(out).page(run),
  };
}
