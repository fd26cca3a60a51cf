import type { QuerySource, Usage } from "../transcript/index.ts";
import type { FaultKind } from "./fault.ts";
import type { ClientSin } from "./sins.ts";

/** What the mock saw, in order, for the record of a run. */
export type MockEvent = RequestKey & {
  /** Milliseconds since the epoch. */
  readonly at: number;
} & (
    | {
        readonly kind: "served";
        readonly requestId: string;
        readonly status: number;
        /** The hidden truth: tokens of the input as the server counts them. */
        readonly trueTokens: number;
        /** As sent: null where a fault left it out. */
        readonly usage: Usage | null;
        readonly dollars: number;
        /** As billed, whatever a fault made of `usage`. */
        readonly billed: Billed;
        readonly stopReason: string | null;
        /** What the model noticed while answering, unread. */
        readonly trace: readonly unknown[];
      }
    | {
        readonly kind: "refused";
        readonly requestId: string;
        readonly status: number;
        readonly errorType: string;
        readonly text: string;
        /** 0 where the request could not be counted. */
        readonly trueTokens: number;
        /** By a fault, not by a rule. */
        readonly injected: boolean;
      }
    | { readonly kind: "fault_injected"; readonly fault: string; readonly faultKind: FaultKind }
    | { readonly kind: "client_sin"; readonly sin: ClientSin; readonly detail: string }
  );

/** Tokens by the way in which they are paid. */
export interface Billed {
  readonly read: number;
  readonly write: number;
  readonly uncached: number;
  readonly output: number;
}

/** Which request it was. Foreign clients send none of it: there `round` counts the requests of the source. */
export interface RequestKey {
  readonly source: QuerySource;
  readonly turn: number;
  readonly round: number;
  readonly attempt: number;
}
