import type { Command } from "commander";
import { Argument } from "commander";
import { strategyNames } from "../../agent/index.ts";
import { faultKinds } from "../../mock-api/index.ts";
import { eventKinds, invariants, metricDefinitions, toolFaultKinds } from "../../simulate/index.ts";
import { models } from "../../tokens/index.ts";
import { profileNames } from "../../workload/index.ts";
import { ink } from "../ink.ts";
import { loadScenarios, suiteFolder } from "../load-scenarios.ts";
import { left, textTable } from "../text-table.ts";

/** What can be listed: rows of a name and a word about it. */
const lists = {
  scenarios: () => loadScenarios([suiteFolder()]).map(({ name, file, why }) => ({ name, about: `${why} (${file})` })),
  strategies: () => strategyNames.map(named),
  profiles: () => profileNames.map(named),
  faults: () => [...faultKinds, ...toolFaultKinds].map(named),
  metrics: () =>
    [...metricDefinitions.values()].map(({ name, unit, labels, formula }) => ({
      name: labels.length === 0 ? name : `${name}{${labels.join(",")}}`,
      about: `${formula} [${unit}]`,
    })),
  events: () => eventKinds.map(named),
  invariants: () => invariants.map(({ name, says }) => ({ name, about: says })),
  models: () =>
    models.map(({ id, contextWindow, maxOutput }) => ({
      name: id,
      about: `window ${contextWindow} tokens, output ${maxOutput}`,
    })),
} as const satisfies Record<string, () => readonly Row[]>;

type Topic = keyof typeof lists;
interface Row {
  readonly name: string;
  readonly about: string;
}

function named(name: string): Row {
  return { name, about: "" };
}

export function addListCommand(program: Command): void {
  program
    .command("list")
    .summary("show scenarios, strategies, profiles, faults, metrics, events, invariants, models")
    .description("Shows what there is to run, and the words that a scenario file may use.")
    .addArgument(new Argument("[TOPIC]", "one of them; default: all").choices(Object.keys(lists)))
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  longhaul list scenarios\n  longhaul list metrics --json")
    .action(list);
}

function list(topic: Topic | undefined, { json }: { readonly json?: true }): void {
  const topics = topic === undefined ? (Object.keys(lists) as Topic[]) : [topic];
  const found = topics.map((each) => [each, lists[each]()] as const);
  if (json) {
    console.log(JSON.stringify(Object.fromEntries(found), null, 2));
    return;
  }
  console.log(found.map(([each, rows]) => section(each, rows)).join("\n\n"));
}

function section(topic: Topic, rows: readonly Row[]): string {
  const columns = [left(topic), left("")] as const;
  const lines = textTable(
    columns,
    rows.map(({ name, about }) => [name, about]),
  );
  return [ink.strong(lines[0] ?? topic), ...lines.slice(1).map((line) => `  ${line}`)].join("\n");
}
