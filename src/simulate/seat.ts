import type { Agent, SessionRecord, SessionStore } from "../agent/index.ts";
import type { ModelInfo } from "../tokens/index.ts";

/** The agent of a session, which may be another process's tomorrow: the same conversation, whoever sits there. */
export interface Seat extends Agent {
  /** The process ends, and another goes on from what the session kept, on this model (default: the same). */
  restart(model?: ModelInfo): void;
}

/** Makes an agent; `resume` is what an earlier one kept in `store`. */
export type MakeAgent = (model: ModelInfo, store: SessionStore, resume: readonly SessionRecord[] | null) => Agent;

export function createSeat(make: MakeAgent, model: ModelInfo): Seat {
  const kept: SessionRecord[] = [];
  const store: SessionStore = { append: (record) => kept.push(record) };
  let current = model;
  let agent = make(current, store, null);
  return {
    turn: (content, signal) => agent.turn(content, signal),
    resume: (signal) => agent.resume(signal),
    compact: (focus, signal) => agent.compact(focus, signal),
    idle: (gapMs) => agent.idle(gapMs),
    close: () => agent.close(),
    log: () => agent.log(),
    projection: () => agent.projection(),
    get turns() {
      return agent.turns;
    },
    get rounds() {
      return agent.rounds;
    },
    restart: (next = current) => {
      current = next;
      agent.close();
      agent = make(current, store, [...kept]);
    },
  };
}
