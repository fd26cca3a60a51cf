import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Command } from "commander";
import { Option } from "commander";
import { exitCodes } from "../../scenario/index.ts";
import type { Transport } from "../../simulate/index.ts";
import { determinismHashes, hashOfRuns, transports } from "../../simulate/index.ts";
import { ink } from "../ink.ts";
import { wholeOption } from "../number-options.ts";
import { left, right, textTable } from "../text-table.ts";
import { UsageError } from "../usage-error.ts";

interface DeterminismOptions {
  readonly runs: number;
  readonly rounds: number;
  readonly node: readonly string[];
  readonly json?: true;
}

interface Cell {
  readonly node: string;
  readonly transport: Transport;
  readonly workers: number;
  readonly hash: string;
  readonly hashes: Readonly<Record<string, string>>;
}

export function addDeterminismCommand(measure: Command): void {
  measure
    .command("determinism")
    .summary(
      "whether the same runs are the same on several versions of Node, over four transports, in one process and in two",
    )
    .description(
      "Plays the same runs on each Node that is named and on this one, over all transports, in one process and shared out over two, and\n" +
        "compares their hashes. Exit code 5 if any two differ. `npm install --prefix DIR node@22` gives DIR/node_modules/node/bin/node.",
    )
    .addOption(new Option("--runs <N>", "runs of which a hash is made").argParser(wholeOption(1, 1_000)).default(20))
    .addOption(new Option("--rounds <N>", "length of each").argParser(wholeOption(5, 10_000)).default(25))
    .addOption(new Option("--node <PATH...>", "other Node programs").default([]))
    .option("--json", "print all hashes as JSON")
    .addHelpText("after", "\nExample:\n  longhaul measure determinism --node /tmp/n22/node_modules/node/bin/node")
    .action(measureDeterminism);
  measure
    .command("determinism-share <TRANSPORT> <RUNS> <FROM> <STEP> <ROUNDS>", { hidden: true })
    .action(async (transport: Transport, ...numbers: string[]) => {
      const [runs = 0, from = 0, step = 1, rounds = 0] = numbers.slice(0, 4).map(Number);
      console.log(
        JSON.stringify({
          node: process.version,
          hashes: await determinismHashes({ runs, from, step }, rounds, transport),
        }),
      );
    });
}

async function measureDeterminism(options: DeterminismOptions): Promise<void> {
  const cells: Cell[] = [];
  for (const node of [process.execPath, ...options.node]) {
    for (const transport of transports) {
      for (const workers of transport === "msw" ? [1, 2] : [1]) {
        const cell = await playCell(node, transport, workers, options);
        cells.push(cell);
        if (!options.json) process.stderr.write(`${ink.quiet(`${cell.node} ${transport} ${workers}: ${cell.hash}`)}\n`);
      }
    }
  }
  const isOne = new Set(cells.map(({ hash }) => hash)).size === 1;
  console.log(options.json ? JSON.stringify(cells, null, 2) : cellsText(cells, options.runs, isOne));
  if (!isOne) process.exitCode = exitCodes.notDeterministic;
}

const run = promisify(execFile);

/** The runs in processes of their own, each with its share. */
async function playCell(
  node: string,
  transport: Transport,
  workers: number,
  options: DeterminismOptions,
): Promise<Cell> {
  const { runs, rounds } = options;
  const program = process.argv[1] ?? "";
  const loaded = program.endsWith(".ts") ? ["--import", "tsx", program] : [program];
  const shares = await Promise.all(
    Array.from({ length: workers }, async (_, from) => {
      const words = ["measure", "determinism-share", transport, runs, from, workers, rounds].map(String);
      const { stdout } = await run(node, [...loaded, ...words]).catch((error: Error) => {
        throw new UsageError(`--node ${node}: ${error.message.split("\n").slice(0, 3).join(" ")}`);
      });
      return JSON.parse(stdout) as Pick<Cell, "node" | "hashes">;
    }),
  );
  const hashes = Object.assign({}, ...shares.map((share) => share.hashes)) as Cell["hashes"];
  return { node: shares[0]?.node ?? "", transport, workers, hash: hashOfRuns(hashes), hashes };
}

function cellsText(cells: readonly Cell[], runs: number, isOne: boolean): string {
  const [first] = cells;
  const differing = cells.filter(({ hash }) => hash !== first?.hash);
  const which = differing.map(({ node, transport, workers, hashes }) => {
    const runsThatDiffer = Object.keys(hashes).filter((nth) => hashes[nth] !== first?.hashes[nth]);
    return `  ${node} ${transport} ${workers}: runs ${runsThatDiffer.join(", ")}`;
  });
  return [
    ...textTable(
      [left("node"), left("transport"), right("workers"), left(`hash of ${runs} runs`)],
      cells.map(({ node, transport, workers, hash }) => [node, transport, String(workers), hash]),
    ),
    "",
    isOne ? "One hash everywhere." : ink.bad(`${differing.length} of ${cells.length} differ from the first:`),
    ...which,
  ].join("\n");
}
