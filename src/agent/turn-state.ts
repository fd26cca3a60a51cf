import type { CallError } from "../compaction/index.ts";
import { estimateMessageTokens } from "../tokens/index.ts";
import type { UserMessage } from "../transcript/index.ts";
import { messagesAfterLastBoundary } from "../transcript/index.ts";
import type { TurnResult } from "./agent-port.ts";
import type { Moments } from "./moment.ts";
import type { Session } from "./session.ts";

/** The bounds of one turn's recovery: each step may be taken so often, and no step brings another's back (RC6). */
export interface TurnState {
  readonly session: Session;
  readonly moments: Moments;
  readonly signal: AbortSignal;
  /** max_tokens of the next request. */
  outputCap: number;
  /** Step 3 was taken, or the cap had to be lowered: it is not raised any more. */
  capSettled: boolean;
  /** The cap was lowered since a response succeeded: a server that then names other figures is believed no more. */
  capLowered: boolean;
  /** Step 4, in a row: an answer that ends by itself sets it to 0. */
  continuations: number;
  /** Steps 1 and 2: how often the strategy was asked for room since a response succeeded. */
  rejections: number;
  /** Answers kept. */
  rounds: number;
}

export type TurnEnd = Exclude<TurnResult, { kind: "queued" }>;

/** What comes after an exchange. */
export type Step =
  /** A new round. */
  | { readonly kind: "next" }
  /** The request again, changed, without asking the strategy first: it has just been asked, or nothing of the past has changed. */
  | { readonly kind: "repeat" }
  /** The same round, but the strategy is asked again: the model has changed. */
  | { readonly kind: "reconsider" }
  | { readonly kind: "end"; readonly end: TurnEnd };

export function failWith(state: TurnState, error: CallError): Step {
  return { kind: "end", end: { kind: "failed", rounds: state.rounds, error } };
}

export function endAborted(state: TurnState): Step {
  return { kind: "end", end: { kind: "aborted", rounds: state.rounds } };
}

/** A user message by the harness. */
export function metaMessage(session: Session, text: string): UserMessage {
  return {
    kind: "user",
    uuid: session.uuid(),
    timestamp: session.now(),
    content: [{ type: "text", text }],
    isMeta: true,
  };
}

/** Estimate of what the next request holds besides system and tools, in tokens. */
export function liveSize(session: Session): number {
  return estimateMessageTokens(messagesAfterLastBoundary(session.conversation.projection()));
}
