import type { CallError } from "../../compaction/index.ts";
import type { Block, QuerySource, WireRequest, WireResponse } from "../../transcript/index.ts";

/**
 * One request to the Messages API. Contract:
 * - never throws: the last event is always `complete`, `failed` or `aborted`, and nothing follows it;
 * - `complete` only after the server said that the message is whole: a stream that merely ends is `failed`;
 * - `block` comes once for each content block, in the order in which the blocks ended, whole and parsed; its wire index says where it stands;
 * - no retries inside; no waiting but for the server.
 */
export interface ClientPort {
  send(call: ClientCall): AsyncIterable<ClientEvent>;
}

export interface ClientCall {
  readonly request: WireRequest;
  /** Who asks, and where in the session; sent as `x-longhaul-*` headers so that a mock can name the request. */
  readonly source: QuerySource;
  readonly turn: number;
  readonly round: number;
  /** The nth request of this source in this round, counting from 1. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

export type ClientEvent =
  | {
      readonly kind: "started";
      readonly messageId: string;
      readonly model: string;
      /** Figures of the input; those of the output are placeholders until the end (T5). */
      readonly usage: WireResponse["usage"] | null;
    }
  | { readonly kind: "block"; readonly index: number; readonly block: Block }
  | { readonly kind: "complete"; readonly response: CompleteResponse }
  | { readonly kind: "failed"; readonly failure: CallFailure }
  | { readonly kind: "aborted" };

/** A whole answer. Blocks in wire order; what was cut inside (at max_tokens) stands apart. */
export interface CompleteResponse {
  readonly messageId: string;
  readonly model: string;
  readonly content: readonly Block[];
  /** Blocks that the server closed but that hold only a part: a tool call with half its input, thinking without its signature. Never sent again. */
  readonly unfinished: readonly Block[];
  readonly stopReason: string | null;
  readonly usage: WireResponse["usage"] | null;
}

export interface CallFailure {
  readonly error: CallError;
  /** HTTP status; null where none came (network) or the failure came inside a stream. */
  readonly status: number | null;
  /** What the server asked for, in milliseconds from now. */
  readonly retryAfterMs: number | null;
  /** The server's own word on whether a retry can help (x-should-retry), null where it gave none. */
  readonly shouldRetry: boolean | null;
}
