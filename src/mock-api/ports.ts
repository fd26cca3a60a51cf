import type { Rng } from "../determinism/index.ts";
import type { QuerySource, WireRequest } from "../transcript/index.ts";

/**
 * What stands in for the model. Contract: a pure function of (request, context); it knows nothing but what the request holds (simulation.md M1);
 * never throws; ids, signatures, usage, streaming and the cut at max_tokens are the mock's work.
 */
export type ModelPort = (request: WireRequest, context: ModelContext) => ModelAnswer;

export interface ModelContext {
  readonly source: QuerySource;
  /** A stream of this request's own, keyed by (source, round, attempt). */
  readonly rng: Rng;
  readonly nowMs: number;
  /** Which request it is, from the headers of our own client; a foreign client is counted. For recordings: a model of facts has no use for it. */
  readonly round: number;
}

export interface ModelAnswer {
  readonly content: readonly AnswerBlock[];
  /** Default: `tool_use` when a tool is called, else `end_turn`. */
  readonly stopReason?: string;
  /** What the model noticed while answering: passed on to the observer unread. */
  readonly trace: readonly unknown[];
}

export type AnswerBlock =
  | { readonly kind: "thinking"; readonly thinking: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool-call"; readonly name: string; readonly input: Readonly<Record<string, unknown>> };
