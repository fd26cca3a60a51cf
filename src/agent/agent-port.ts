import type { CallError } from "../compaction/index.ts";
import type { Block, Message } from "../transcript/index.ts";
import type { Answer } from "./strategy/port.ts";

/**
 * One conversation. Contract:
 * - nothing rejects: failures and aborts are values;
 * - one turn runs at a time; what is said meanwhile is queued and delivered once, in order;
 * - `log` only grows;
 * - after `close` nothing more is sent, emitted or stored: what was open is aborted, and a turn that was can be resumed by another agent.
 */
export interface Agent {
  /** From a human message to the end of the tool loop. Called while a turn runs: queued for it, and `queued` at once. */
  turn(content: string | readonly Block[], signal?: AbortSignal): Promise<TurnResult>;
  /** Goes on with a turn that the end of an earlier process cut off; null where none was. A new turn may be begun instead: it takes over what waits. */
  resume(signal?: AbortSignal): Promise<TurnResult | null>;
  /** A manual compaction. While a turn runs it is done before the next request, and `queued` is returned at once; a second is not added. */
  compact(focusText: string, signal?: AbortSignal): Promise<CompactResult>;
  /** Time has passed without a turn; the clock is moved by the caller. */
  idle(gapMs: number): Promise<void>;
  /** Puts the conversation away: the turn that runs, and requests that nobody waits for (notes, collapses), which would hold the process open. */
  close(): void;
  /** All that ever happened, in order. */
  log(): readonly Message[];
  /** What the next request would be made from. */
  projection(): readonly Message[];
  readonly turns: number;
  readonly rounds: number;
}

export type TurnResult =
  | { readonly kind: "completed"; readonly rounds: number; readonly text: string }
  | { readonly kind: "failed"; readonly rounds: number; readonly error: CallError }
  /** The strategy let no request be sent (AC3): the reason says what to do. */
  | { readonly kind: "blocked"; readonly rounds: number; readonly reason: string }
  | { readonly kind: "aborted"; readonly rounds: number }
  | { readonly kind: "queued" };

export type CompactResult = { readonly kind: "ran"; readonly status: Answer["status"] } | { readonly kind: "queued" };
