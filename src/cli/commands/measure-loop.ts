import type { Command } from "commander";
import { Option } from "commander";
import { exitCodes } from "../../scenario/index.ts";
import type { LoopFinding, LoopRow, MemoryWay } from "../../simulate/index.ts";
import { judgeLoop, memoryWays, playLoop, pooled } from "../../simulate/index.ts";
import type { ProfileName } from "../../workload/index.ts";
import { profileNames, typicalSurvival } from "../../workload/index.ts";
import { dollarsText } from "../figures.ts";
import { findingLines } from "../finding-lines.ts";
import { seedOption, wholeOption } from "../number-options.ts";
import { countingLine } from "../progress-line.ts";
import { left, right, textTable } from "../text-table.ts";

interface LoopOptions {
  readonly rounds: number;
  readonly seed: number[];
  readonly profile?: readonly ProfileName[];
  readonly way?: readonly MemoryWay[];
  readonly json?: true;
}

export function addLoopCommand(measure: Command): void {
  measure
    .command("loop")
    .summary("what forgetting does: every profile with a perfect, a typical and no memory, beside a window without end")
    .description(
      "Plays each profile with the four layers, once with a memory that loses nothing and once with a typical one, with the oldest rounds\n" +
        "dropped, and without compaction in an unlimited window, which the others are held against. Exit code 4 when a finding does not hold.",
    )
    .addOption(new Option("--rounds <N>", "length of the sessions").argParser(wholeOption(20, 10_000)).default(400))
    .addOption(new Option("--seed <N>", "seed").argParser(seedOption).default([1], "1"))
    .addOption(new Option("--profile <NAME...>", "only these profiles").choices([...profileNames]))
    .addOption(new Option("--way <NAME...>", "only these ways to remember").choices([...memoryWays]))
    .option("--json", "print rows and findings as JSON")
    .addHelpText("after", "\nExample:\n  longhaul measure loop --profile long-autonomous --way typical --rounds 2000")
    .action(measureLoop);
}

async function measureLoop(options: LoopOptions): Promise<void> {
  const { rounds, json } = options;
  const [seed = 1] = options.seed;
  const profiles = options.profile ?? profileNames;
  const ways = options.way ?? memoryWays;
  const line = countingLine("sessions", profiles.length * ways.length, json === true);
  const rows: LoopRow[] = [];
  for (const profile of profiles) {
    for (const way of ways) {
      rows.push(await playLoop(profile, way, { rounds, seed: String(seed), window: null }));
      line.update(rows.length);
    }
  }
  line.clear();
  const findings = judgeLoop(rows);
  console.log(json ? JSON.stringify({ rounds, seed, rows, findings }, null, 2) : loopText(rows, findings));
  if (findings.some(({ holds }) => !holds)) process.exitCode = exitCodes.expectationNotMet;
}

function loopText(rows: readonly LoopRow[], findings: readonly LoopFinding[]): string {
  const reference = new Map(rows.filter(({ way }) => way === "unlimited").map((row) => [row.profile, row]));
  const table = textTable(
    [
      left("profile"),
      left("memory"),
      left("ends"),
      right("goals"),
      right("rounds"),
      right("compactions"),
      right("stated drops"),
      right("violations"),
      right("re-fetches"),
      right("stale"),
      right("repeated"),
      right("lost goals"),
      right("cost"),
      right("goals against unlimited"),
    ],
    rows.map((row) => {
      const full = reference.get(row.profile);
      return [
        row.profile,
        row.way,
        row.ends,
        `${row.goalsDone}/${row.goals}`,
        String(row.rounds),
        String(row.compactions),
        String(row.statedDrops),
        String(row.violations),
        String(row.refetches),
        String(row.staleValues),
        String(row.duplicateWork),
        String(row.lostGoals),
        dollarsText(row.dollars),
        full === undefined ? "" : `${Math.round((100 * row.goalsDone) / Math.max(1, full.goalsDone))} %`,
      ];
    }),
  );
  const kinds = pooled(rows.filter(({ way }) => way === "typical"));
  const byKind = textTable(
    [
      left("kind, typical memory"),
      right("survives a pass"),
      right("needed"),
      right("gone"),
      right("share"),
      right("violations"),
      right("re-fetches"),
    ],
    kinds.map(({ kind, needed, gone, violations, refetches }) => [
      kind,
      typicalSurvival[kind].toFixed(2),
      String(needed),
      String(gone),
      needed === 0 ? "" : (gone / needed).toFixed(2),
      String(violations),
      String(refetches),
    ]),
  );
  const note =
    "needed: the first need of a fact after a compaction that came after its birth. Kinds that tools bring back are met again on the way.";
  return [...table, "", ...(kinds.length === 0 ? [] : [...byKind, note, ""]), ...findingLines(findings)].join("\n");
}
