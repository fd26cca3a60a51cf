import type { Agent } from "../agent/index.ts";
import type { Clock } from "../determinism/index.ts";

/** Where a session stands when something happens, as events name it. */
export interface Place {
  readonly at: number;
  readonly turn: number;
  readonly round: number;
  readonly querySource: "main";
}

export function placeOf(agent: Pick<Agent, "turns" | "rounds">, clock: Clock): Place {
  return { at: clock.now(), turn: agent.turns, round: agent.rounds, querySource: "main" };
}
