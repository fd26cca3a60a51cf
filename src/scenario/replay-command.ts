import type { Scenario } from "./load.ts";

/** What to type to see a run again (Y6). */
export function replayCommand(scenario: Pick<Scenario, "file" | "variant">, seed: number | string): string {
  const variant = scenario.variant === "" ? "" : ` --variant ${quoted(scenario.variant)}`;
  return `npx longhaul run ${quoted(scenario.file)} --seed ${seed}${variant}`;
}

/** As a POSIX shell takes it. */
function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
