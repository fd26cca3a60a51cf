import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Command } from "commander";
import type { SuiteResult } from "../../scenario/index.ts";
import { reportFiles } from "../report-files.ts";
import { createSessionPool } from "../session-pool.ts";
import { UsageError } from "../usage-error.ts";

export function addReportCommand(program: Command): void {
  program
    .command("report")
    .summary("make the pages again from the saved records")
    .description(
      "Makes reports/index.html and the page of each run again from what the last `longhaul run` saved. Nothing is run.",
    )
    .option("--out <FOLDER>", "folder of the reports", "reports")
    .option("--quiet", "print nothing")
    .addHelpText("after", "\nExample:\n  longhaul report --out reports")
    .action(report);
}

async function report({ out, quiet }: { readonly out: string; readonly quiet?: true }): Promise<void> {
  const files = reportFiles(out);
  const suite = readSuite(files.suite);
  const pool = createSessionPool(availableParallelism());
  try {
    await Promise.all(suite.runs.map((run) => pool.do({ kind: "run-page", run, out, alone: false })));
    await pool.do({ kind: "suite-page", suite, out });
  } finally {
    pool.close();
  }
  if (!quiet) console.log(`report: ${files.index} (${suite.runs.length} runs)`);
}

function readSuite(path: string): SuiteResult {
  if (!existsSync(path)) throw new UsageError(`${path}: no runs are saved here; type: longhaul run`);
  try {
    return JSON.parse(readFileSync(path, "utf8")) as SuiteResult;
  } catch {
    throw new UsageError(`${path}: not a saved suite; type: longhaul run`);
  }
}
