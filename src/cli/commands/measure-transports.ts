import type { Command } from "commander";
import { Option } from "commander";
import type { Scenario } from "../../scenario/index.ts";
import { eventLine, exitCodes, firstDifference } from "../../scenario/index.ts";
import type { RunRecord, Transport } from "../../simulate/index.ts";
import { transports } from "../../simulate/index.ts";
import { loadScenarios } from "../load-scenarios.ts";
import { seedOption, wholeOption } from "../number-options.ts";
import { playScenario } from "../play-scenario.ts";
import { left, right, textTable } from "../text-table.ts";

interface TransportsOptions {
  readonly rounds: number;
  readonly seed: number[];
  readonly json?: true;
}

interface Row {
  readonly scenario: string;
  readonly rounds: number;
  readonly hashes: Readonly<Record<Transport, string>>;
  readonly seconds: number;
  /** Where the first transport that differs parts from the first of all; null: all are one run. */
  readonly difference: string | null;
}

export function addTransportsCommand(measure: Command): void {
  measure
    .command("transports")
    .summary("whether every scenario is one run over all four transports")
    .description(
      "Plays each scenario at one seed over MSW, fetch, typed objects and a real port, and compares the hashes of the runs (mock-api.md A1).\n" +
        "Exit code 5 if any two differ.",
    )
    .argument("[FILE...]", "scenario files or folders; the suite where none is named")
    .addOption(
      new Option("--rounds <N>", "longer sessions are cut to so many").argParser(wholeOption(1, 100_000)).default(200),
    )
    .addOption(new Option("--seed <N>", "seed of the runs").argParser(seedOption).default([1], "1"))
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExample:\n  longhaul measure transports scenarios/breaker.yaml --rounds 60")
    .action(measureTransports);
}

async function measureTransports(paths: readonly string[], options: TransportsOptions): Promise<void> {
  const [seed = 1] = options.seed;
  const rows: Row[] = [];
  for (const scenario of loadScenarios(paths)) {
    const row = await compared(shortened(scenario, options.rounds), seed);
    rows.push(row);
    if (!options.json) process.stderr.write(`${row.difference === null ? "one run" : "DIFFERS"}  ${row.scenario}\n`);
  }
  const differing = rows.filter((row) => row.difference !== null);
  console.log(options.json ? JSON.stringify(rows, null, 2) : tableOf(rows));
  for (const { scenario, difference } of options.json ? [] : differing) console.log(`\n${scenario}: ${difference}`);
  if (differing.length > 0) process.exitCode = exitCodes.notDeterministic;
}

function shortened(scenario: Scenario, rounds: number): Scenario {
  const { session } = scenario;
  if (session.transcript !== undefined || session.rounds <= rounds) return scenario;
  return { ...scenario, session: { ...session, rounds } };
}

async function compared(scenario: Scenario, seed: number): Promise<Row> {
  const began = performance.now();
  const hashes: Partial<Record<Transport, string>> = {};
  let first: { readonly transport: Transport; readonly record: RunRecord } | undefined;
  let difference: string | null = null;
  for (const transport of transports) {
    const record = await playScenario(scenario, { seed, transport });
    hashes[transport] = record.footer.hash;
    first ??= { transport, record };
    if (record.footer.hash !== first.record.footer.hash)
      difference ??= differenceOf(first.transport, first.record, transport, record);
  }
  const name = scenario.variant === "" ? scenario.name : `${scenario.name} (${scenario.variant})`;
  return {
    scenario: name,
    rounds: first?.record.events.filter((event) => event.kind === "served").length ?? 0,
    hashes: hashes as Record<Transport, string>,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    difference,
  };
}

function differenceOf(a: Transport, first: RunRecord, b: Transport, second: RunRecord): string {
  const found = firstDifference(first, second);
  if (found === null) return "the hashes differ, and no event does";
  const told = (event: typeof found.first): string => (event === null ? "(ended)" : eventLine(event));
  return `event ${found.index} (${found.fields.join(", ")})\n  ${a}: ${told(found.first)}\n  ${b}: ${told(found.second)}`;
}

function tableOf(rows: readonly Row[]): string {
  const titles = ["scenario", "requests", ...transports, "seconds", "one run"];
  const columns = titles.map((title) => (/requests|seconds/.test(title) ? right(title) : left(title)));
  const cells = rows.map(({ scenario, rounds, hashes, seconds, difference }) => [
    scenario,
    String(rounds),
    ...transports.map((transport) => hashes[transport]),
    String(seconds),
    difference === null ? "yes" : "NO",
  ]);
  return textTable(columns, cells).join("\n");
}
