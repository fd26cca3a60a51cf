import type { PlaySpec, RunSpec, Transport } from "../simulate/index.ts";
import type { Scenario } from "./load.ts";

/** What `simulate` is to play: a session of the simulated world, or one from a file, whose path is given as from the scenario's folder. */
export type Play =
  | { readonly kind: "generated"; readonly spec: RunSpec }
  | { readonly kind: "recorded"; readonly transcript: string; readonly spec: Omit<PlaySpec, "profile" | "rounds"> };

/** A scenario without its judgement, at one seed. */
export function toPlay(
  scenario: Scenario,
  { seed, transport }: { readonly seed: number; readonly transport: Transport },
): Play {
  const { session, model, strategy, faults, toolFaults, user } = scenario;
  const spec = { scenario: scenario.name, seed: String(seed), model, strategy, faults, toolFaults, user, transport };
  return session.transcript === undefined
    ? { kind: "generated", spec: { ...spec, session } }
    : { kind: "recorded", transcript: session.transcript, spec };
}

/** Rounds that a session will take; null where only its file knows. */
export function plannedRounds({ session }: Scenario): number | null {
  return session.transcript === undefined ? session.rounds : null;
}
