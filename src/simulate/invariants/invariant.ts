import type { AgentObserver } from "../../agent/index.ts";
import type { Message } from "../../transcript/index.ts";
import type { RunEvent } from "../record.ts";

/** A law that holds at every moment of every run, whatever the strategy (O4). */
export interface Invariant {
  readonly name: string;
  /** The law, in one sentence. */
  readonly says: string;
  /** Makes a watcher for one run. `report` tells a break, with the figures in the sentence. */
  watch(report: (detail: string) => void, session: WatchedSession): Watcher;
}

/** What a watcher may look at, at any time. */
export interface WatchedSession {
  projection(): readonly Message[];
}

export interface Watcher extends AgentObserver {
  event?(event: RunEvent): void;
}

export type Edited = Parameters<NonNullable<AgentObserver["edited"]>>[0];
