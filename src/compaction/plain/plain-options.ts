import type { ModelInfo } from "../../tokens/index.ts";
import type { PlainMessage, QuerySource, Usage } from "../../transcript/index.ts";
import type { CompactionConfig } from "../config.ts";
import type { CompactorPorts } from "../context.ts";
import type { EventSink } from "../events.ts";
import type { ClockPort } from "../ports.ts";
import type { PlainState } from "./plain-state.ts";

/** A request as a client takes it: `Anthropic.MessageCreateParamsNonStreaming` is one. */
export interface PlainRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly PlainMessage[];
}

/** An answer as a client gives it: `Anthropic.Message` is one. */
export interface PlainResponse {
  readonly id: string;
  readonly model: string;
  readonly content: readonly { readonly type: string }[];
  readonly stop_reason: string | null;
  readonly usage: Usage;
}

/** What goes with a request beside its body. Fits where the SDK takes its request options. */
export interface PlainCall {
  /** What the request is for: `main` is the conversation's own. */
  readonly source: QuerySource;
  readonly signal?: AbortSignal;
}

export interface PlainSessionOptions<Request extends PlainRequest, Response extends PlainResponse> {
  /**
   * Everything of the requests but their messages: sent as it is with each, and by the forks as far as they share it. The session puts the cache
   * breakpoints (RC8); where system prompt or tools carry some of their own, those are left as they are.
   */
  readonly request: Omit<Request, "messages">;
  /** Sends one request, with transport retries inside. Rejects with what the client throws; refusals are read from `status`, `error` and `message`. */
  readonly create: (request: Request, call: PlainCall) => Promise<Response>;
  readonly clock: ClockPort;
  readonly uuid: () => string;
  /** Default: the table's entry for `request.model`; an id that it does not have (a gateway's) needs this. */
  readonly model?: ModelInfo;
  /** Default `defaultConfig`. The cached path (MC3) is off whatever it says: the public API has no cache edits. */
  readonly config?: CompactionConfig;
  /** No person is waiting for answers (FC8). Default false. */
  readonly autonomous?: boolean;
  /** Files, hooks, notes, announcements, another estimator: what is missing is left out. */
  readonly world?: Partial<Omit<CompactorPorts, "ask" | "clock" | "ids" | "emit">>;
  readonly onEvent?: EventSink;
  /** What `state` gave, to go on from there. */
  readonly resume?: PlainState;
}
