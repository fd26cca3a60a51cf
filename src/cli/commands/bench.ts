import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import type { Command } from "commander";
import type { BenchRow } from "../../report/index.ts";

import { exitCodes } from "../../scenario/index.ts";
import type { Baseline, BenchDoor } from "../bench-door.ts";
import { openBench } from "../bench-door.ts";
import { benchLines } from "../bench-text.ts";
import { thisEnvironment } from "../environment.ts";
import { UsageError } from "../usage-error.ts";
import { writeFileWhole } from "../write-file.ts";

interface BenchOptions {
  readonly quick?: true;
  readonly filter?: string;
  readonly updateBaseline?: true;
  readonly out: string;
  readonly json?: true;
}

/** Time for each subject and size, in milliseconds. */
const TIME_MS = { quick: 250, full: 2_000 } as const;
const BASELINE = "bench/baseline.json";

export function addBenchCommand(program: Command): void {
  program
    .command("bench")
    .summary("time the hot paths, each proved before it is timed")
    .description(
      "Times token estimation, grouping and index adjustment at several sizes, compares with the committed baseline, and fits how time grows with size.",
    )
    .option("--quick", "fewer sizes and less time: under 30 s")
    .option("--filter <TEXT>", "only the subjects whose name holds this text")
    .option("--update-baseline", `write what was measured to ${BASELINE}`)
    .option("--out <FOLDER>", "folder of the reports", "reports")
    .option("--json", "print the rows as JSON")
    .addHelpText(
      "after",
      '\nExamples:\n  longhaul bench --quick\n  longhaul bench --filter "group by round"\n  longhaul bench --update-baseline',
    )
    .action(bench);
}

async function bench(options: BenchOptions): Promise<void> {
  const door = await openBench();
  const mode = options.quick ? "quick" : "full";
  const subjects = door.subjects.filter(({ name }) => name.includes(options.filter ?? ""));
  if (subjects.length === 0) {
    throw new UsageError(
      `--filter "${options.filter}" matches nothing; there are: ${door.subjects.map(({ name }) => name).join(", ")}`,
    );
  }
  const here = { machine: cpus()[0]?.model ?? "unknown", node: process.versions.node };
  const baseline = readBaseline();
  const timings = await door.measure(subjects, {
    sizes: door.sizes[mode],
    timeMs: TIME_MS[mode],
    onProgress: (name, n) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${name} at ${n} messages`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const rows: BenchRow[] = timings.map((timing) => ({
    ...timing,
    ...(baseline === null ? {} : door.compare(timing, baseline, here)),
  }));
  const { renderBenchPage } = await import("../../report/index.ts");
  const page = await renderBenchPage({
    rows,
    environment: { ...thisEnvironment(), machine: here.machine },
    ...(baseline === null ? {} : { baseline: `${BASELINE}, Node ${baseline.node}, ${baseline.machine}` }),
  });
  writeFileWhole(`${options.out}/bench.json`, `${JSON.stringify({ ...here, rows }, null, 2)}\n`);
  writeFileWhole(`${options.out}/bench.html`, page);
  if (options.updateBaseline) writeFileWhole(BASELINE, baselineText(door, rows, here, baseline));
  console.log(options.json ? JSON.stringify(rows, null, 2) : benchLines(rows, baseline).join("\n"));
  if (!options.json) console.log(`\nreport: ${options.out}/bench.html`);
  reportRegressions(rows, door);
}

/** Growth above what is declared fails; a slower row is told and left to judgement, for one process cannot tell it from noise. */
function reportRegressions(rows: readonly BenchRow[], door: BenchDoor): void {
  const tooFast = new Set(
    rows.filter((row) => row.growth !== undefined && door.growsTooFast(row.growth)).map((row) => row.name),
  );
  for (const name of tooFast) console.error(`longhaul bench: ${name} grows faster with the history than is declared`);
  if (tooFast.size > 0) process.exitCode = exitCodes.benchRegression;
}

function readBaseline(): Baseline | null {
  if (!existsSync(BASELINE)) return null;
  try {
    return JSON.parse(readFileSync(BASELINE, "utf8")) as Baseline;
  } catch {
    throw new UsageError(`${BASELINE}: not JSON; type: longhaul bench --update-baseline`);
  }
}

function baselineText(
  door: BenchDoor,
  rows: readonly BenchRow[],
  here: Pick<Baseline, "machine" | "node">,
  before: Baseline | null,
): string {
  const measured = Object.fromEntries(rows.map((row) => [door.rowKey(row), row.median]));
  const medians = { ...before?.medians, ...measured };
  return `${JSON.stringify({ ...here, noiseFloor: before?.noiseFloor ?? 0.35, medians }, null, 2)}\n`;
}
