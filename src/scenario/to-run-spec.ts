import type { RunSpec, Transport } from "../simulate/index.ts";
import type { Scenario } from "./load.ts";

/** What `simulate` is to run: the scenario without its judgement, at one seed. */
export function toRunSpec(
  scenario: Scenario,
  { seed, transport }: { readonly seed: number; readonly transport: Transport },
): RunSpec {
  return {
    scenario: scenario.name,
    seed: String(seed),
    session: scenario.session,
    model: scenario.model,
    strategy: scenario.strategy,
    faults: scenario.faults,
    toolFaults: scenario.toolFaults,
    user: scenario.user,
    transport,
  };
}
