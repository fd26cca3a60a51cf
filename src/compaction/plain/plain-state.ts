import type { Message, UserMessage } from "../../transcript/index.ts";
import type { CompactorState } from "../compactor-state.ts";

/** All that a plain session goes on from: plain data, fit for JSON. */
export interface PlainState extends PlainThreadState {
  readonly version: 1;
  /** What people said, and requests made, so far. */
  readonly turn: number;
  readonly round: number;
  readonly compactor: CompactorState;
}

/** Its conversation, beside what the compactor remembers. */
export interface PlainThreadState {
  readonly messages: readonly Message[];
  /** Said, and not sent yet: no compaction summarises it (ST2). */
  readonly waiting: UserMessage | null;
  /** The last message that stood when something before it was last changed (M7). */
  readonly latestChangeUuid: string | null;
}

export const emptyThread: PlainThreadState = { messages: [], waiting: null, latestChangeUuid: null };
