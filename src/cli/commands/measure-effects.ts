import type { Command } from "commander";
import { Option } from "commander";
import { exitCodes } from "../../scenario/index.ts";
import type { Effect } from "../../simulate/index.ts";
import { effects } from "../../simulate/index.ts";
import { ink } from "../ink.ts";
import { seedOption, wholeOption } from "../number-options.ts";
import { countingLine } from "../progress-line.ts";
import { left, right, textTable } from "../text-table.ts";

interface EffectsOptions {
  readonly rounds: number;
  readonly seed: number[];
  readonly json?: true;
}

export function addEffectsCommand(measure: Command): void {
  measure
    .command("effects")
    .summary("effects that others have published, beside what comes out here")
    .description(
      "Measures published effects of compaction on simulated sessions. Signs and orders must hold, or the exit code is 4; sizes are printed\n" +
        "with what they miss by.",
    )
    .addOption(new Option("--rounds <N>", "length of the sessions").argParser(wholeOption(100, 10_000)).default(400))
    .addOption(new Option("--seed <N>", "seed").argParser(seedOption).default([1], "1"))
    .option("--json", "print the effects as JSON")
    .addHelpText("after", "\nExample:\n  longhaul measure effects --rounds 300 --seed 7")
    .action(measureEffects);
}

async function measureEffects({ rounds, seed: [seed = 1], json }: EffectsOptions): Promise<void> {
  const line = countingLine("effects", effects.length, json === true);
  const found: Effect[] = [];
  for (const effect of effects) {
    found.push(await effect({ seed: String(seed), rounds }));
    line.update(found.length);
  }
  line.clear();
  console.log(json ? JSON.stringify(found, null, 2) : found.map(effectText).join("\n\n"));
  if (found.some(({ holds }) => !holds)) process.exitCode = exitCodes.expectationNotMet;
}

function effectText({ says, source, holds, figures }: Effect): string {
  const table = textTable(
    [left(""), right("measured"), right("published"), right("miss")],
    figures.map(({ name, unit, published, measured }) => [
      name,
      withUnit(measured, unit),
      published === null ? "" : withUnit(published, unit),
      published === null ? "" : `${signed((100 * (measured - published)) / published)} %`,
    ]),
  );
  return [`${holds ? "holds" : ink.bad("FAILS")}  ${says}`, ink.quiet(source), ...table].join("\n");
}

function withUnit(value: number, unit: string): string {
  return unit === "tokens" ? `${(value / 1000).toFixed(0)}K` : `${value.toFixed(1)} ${unit}`;
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(0)}`;
}
