import type { CallError, EventContext } from "../compaction/index.ts";
import type { Usage } from "../transcript/index.ts";

/** What the loop did. The strategy's and the library's own events are `CompactionEvent`s. */
export type LoopEvent = LoopFact & EventContext;

export type LoopFact =
  | { readonly kind: "turn_started"; readonly humanUuid: string | null; readonly chars: number }
  | {
      readonly kind: "request_sent";
      /** Key of the request: the nth of its source in this round, counting retries. */
      readonly attempt: number;
      /** The client's estimate of the whole input, tokens. */
      readonly estimate: number;
      readonly messages: number;
      readonly origin: ContextByOrigin;
    }
  | {
      readonly kind: "response_received";
      readonly attempt: number;
      readonly messageId: string;
      readonly stopReason: string | null;
      readonly usage: Usage | null;
      readonly durationMs: number;
    }
  | {
      readonly kind: "request_failed";
      readonly attempt: number;
      readonly error: CallError;
      /** Null: not retried by the transport policy. */
      readonly retryInMs: number | null;
    }
  | { readonly kind: "tool_started"; readonly toolUseId: string; readonly name: string }
  | {
      readonly kind: "tool_finished";
      readonly toolUseId: string;
      readonly name: string;
      readonly chars: number;
      readonly isError: boolean;
      readonly durationMs: number;
    }
  | {
      readonly kind: "edits_applied";
      readonly moment: string;
      readonly edits: Readonly<Record<string, number>>;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly kind: "contract_broken"; readonly what: string }
  | { readonly kind: "user_aborted" }
  | {
      readonly kind: "turn_ended";
      readonly outcome: "completed" | "failed" | "aborted" | "blocked";
      readonly error: CallError | null;
      readonly rounds: number;
    };

/** Estimated tokens of a main request, by where they come from (report.md R4). */
export interface ContextByOrigin {
  readonly system: number;
  readonly tools: number;
  readonly user: number;
  readonly assistant: number;
  readonly toolResults: number;
  readonly summaries: number;
  readonly attachments: number;
}
