import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import type { Command } from "commander";
import { Option } from "commander";
import type { RunSpec, Transport } from "../../simulate/index.ts";
import { transports } from "../../simulate/index.ts";
import { wholeOption } from "../number-options.ts";
import { left, right, textTable } from "../text-table.ts";

interface ThroughputOptions {
  readonly rounds: number;
  readonly processes: number;
  readonly transport?: Transport;
  readonly json?: true;
}

/** What one process, or several side by side, did. */
interface Rate {
  readonly transport: Transport;
  readonly processes: number;
  /** Answers to main requests: a compaction or a note is work, too, but no round. */
  readonly rounds: number;
  readonly meanContextTokens: number;
  readonly roundsPerSecond: number;
  /** Of one processor, garbage collection and compilation included. */
  readonly cpuMsPerRound: number;
  /** Of a JSON round trip of 500 KB, in the same minute: about 2 on the machine of the targets when it does nothing else. */
  readonly cpuMsPerJson: number;
}

/** performance.md B2, on two cores at a mean context of 100K tokens. */
const targets: Readonly<Record<Transport, number | null>> = { direct: 2_000, fetch: 250, msw: 100, loopback: null };

/** Makes a mean context of some 100 000 tokens under the four layers: about 300 KB a request. */
const windowTokens = 225_000;

export function addThroughputCommand(measure: Command): void {
  measure
    .command("throughput")
    .summary("simulated rounds in a second, over each transport")
    .description(
      "Plays sessions with a mean context of about 100 000 tokens, one in each of some processes at a time, and prints how many rounds they made in a\n" +
        "second, beside the targets of performance.md B2. The figures mean something only where nothing else runs: each process first plays a\n" +
        "short session unmeasured. The last column is a yardstick: the cost of a JSON round trip of 500 KB in the same minute, 2 ms on an idle machine.",
    )
    .addOption(new Option("--rounds <N>", "of a session").argParser(wholeOption(20, 100_000)).default(500))
    .addOption(
      new Option("--processes <N>", "that run side by side")
        .argParser(wholeOption(1, 256))
        .default(availableParallelism(), "one for each core"),
    )
    .addOption(new Option("--transport <WAY>", "only this one").choices([...transports]))
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExample:\n  longhaul measure throughput --transport direct --processes 1")
    .action(measureThroughput);
}

async function measureThroughput(options: ThroughputOptions): Promise<void> {
  const rates: Rate[] = [];
  for (const transport of options.transport === undefined ? transports : [options.transport]) {
    const parts =
      options.processes === 1
        ? [await played(transport, options.rounds)]
        : await Promise.all(
            Array.from({ length: options.processes }, () => playedElsewhere(transport, options.rounds)),
          );
    rates.push(together(parts));
  }
  console.log(options.json ? JSON.stringify(rates, null, 2) : tableOf(rates));
}

async function played(transport: Transport, rounds: number): Promise<Rate> {
  const { runSession } = await import("../../simulate/index.ts");
  await runSession(specOf(transport, 60, "warm"));
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const { events } = await runSession(specOf(transport, rounds, "measured"));
  const seconds = (performance.now() - began) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  const contexts = events.flatMap((event) =>
    event.kind === "served" && event.querySource === "main" ? [event.trueTokens] : [],
  );
  return {
    transport,
    processes: 1,
    rounds: contexts.length,
    meanContextTokens: Math.round(contexts.reduce((sum, tokens) => sum + tokens, 0) / contexts.length),
    roundsPerSecond: contexts.length / seconds,
    cpuMsPerRound: (cpu.user + cpu.system) / 1_000 / contexts.length,
    cpuMsPerJson: cpuMsOfJson(),
  };
}

/** A yardstick: how fast this processor is just now. */
function cpuMsOfJson(): number {
  const line = 'a line of a file, with "quotes" and \\ in it\n'.repeat(25);
  const value = Array.from({ length: 400 }, (_, n) => ({
    role: "user",
    content: [{ type: "text", text: `${n} ${line}` }],
  }));
  const times = 30;
  for (let n = 0; n < 5; n++) JSON.parse(JSON.stringify(value));
  const before = process.cpuUsage();
  for (let n = 0; n < times; n++) JSON.parse(JSON.stringify(value));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / times;
}

async function playedElsewhere(transport: Transport, rounds: number): Promise<Rate> {
  const words = ["measure", "throughput", "--transport", transport, "--rounds", String(rounds), "--processes", "1"];
  const program = [...process.execArgv, process.argv[1] as string, ...words, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  return (JSON.parse(stdout) as Rate[])[0] as Rate;
}

/** Processes side by side: their rates add up, their costs are averaged. */
function together(parts: readonly Rate[]): Rate {
  const sum = (figure: (part: Rate) => number): number => parts.reduce((total, part) => total + figure(part), 0);
  const rounds = sum((part) => part.rounds);
  return {
    transport: (parts[0] as Rate).transport,
    processes: parts.length,
    rounds,
    meanContextTokens: Math.round(sum((part) => part.meanContextTokens) / parts.length),
    roundsPerSecond: Math.round(sum((part) => part.roundsPerSecond)),
    cpuMsPerRound: Math.round((100 * sum((part) => part.cpuMsPerRound)) / parts.length) / 100,
    cpuMsPerJson: Math.round((100 * sum((part) => part.cpuMsPerJson)) / parts.length) / 100,
  };
}

function specOf(transport: Transport, rounds: number, seed: string): RunSpec {
  return {
    scenario: "throughput",
    seed,
    session: { profile: "exploration", rounds, summariser: "typical", noteTaker: "typical" },
    model: {
      id: "claude-sonnet-4-6",
      fallback: null,
      provider: "anthropic",
      window: windowTokens,
      trueWindow: null,
    },
    strategy: { name: "four-layer", config: {}, env: {} },
    faults: [],
    toolFaults: [],
    user: [],
    transport,
  };
}

function tableOf(rates: readonly Rate[]): string {
  const titles = [
    "transport",
    "processes",
    "rounds",
    "mean context",
    "rounds/s",
    "target",
    "CPU ms a round",
    "CPU ms a JSON",
  ];
  const cells = rates.map((rate) => [
    rate.transport,
    String(rate.processes),
    String(rate.rounds),
    String(rate.meanContextTokens),
    String(Math.round(rate.roundsPerSecond)),
    targets[rate.transport] === null ? "" : `>= ${targets[rate.transport]}`,
    rate.cpuMsPerRound.toFixed(2),
    rate.cpuMsPerJson.toFixed(2),
  ]);
  const columns = titles.map((title) => (title === "transport" ? left(title) : right(title)));
  return textTable(columns, cells).join("\n");
}
