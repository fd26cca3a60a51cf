import type { WireRequest } from "../transcript/index.ts";
import { assertNever } from "../transcript/index.ts";
import type { CallFailure, CompleteResponse } from "./client/client-port.ts";
import type { ResponseDraft } from "./response-draft.ts";
import { createResponseDraft } from "./response-draft.ts";
import { decideRetry } from "./retry.ts";
import type { Session } from "./session.ts";

/** How a main request ended, transport retries included. The draft is not yet part of the conversation. */
export type Exchange =
  | { readonly kind: "answered"; readonly response: CompleteResponse; readonly draft: ResponseDraft }
  /** The stream failed after a tool had started: what is whole must be kept (RC4). */
  | { readonly kind: "cut"; readonly failure: CallFailure; readonly draft: ResponseDraft }
  | { readonly kind: "failed"; readonly failure: CallFailure }
  | { readonly kind: "aborted"; readonly draft: ResponseDraft };

export interface ExchangeOptions {
  readonly signal: AbortSignal;
  /** After so many overloads in a row the exchange gives up early: another model waits (RC4). */
  readonly overloadsAllowed: number;
}

/** Sends one main request until it is answered, refused for good, or its retries are used up (RC5). Never rejects. */
export async function exchange(session: Session, wire: WireRequest, options: ExchangeOptions): Promise<Exchange> {
  const { signal } = options;
  let overloads = 0;
  for (let retries = 0; ; retries++) {
    const attempt = session.nextAttempt("main");
    const draft = createResponseDraft(session, signal);
    const ended = await once(session, wire, attempt, draft, signal);
    if (ended.kind !== "failed") return ended;
    const { failure } = ended;
    const failed = (retryInMs: number | null): void =>
      session.emit({ kind: "request_failed", attempt, error: failure.error, retryInMs });
    if (draft.toolsStarted > 0) {
      failed(null);
      return { kind: "cut", failure, draft };
    }
    overloads = failure.error.class === "overloaded" ? overloads + 1 : 0;
    const { clock, random } = session.options;
    const draw = random(`retry/main/${session.round}/${attempt}`);
    const decision = decideRetry({ failure, source: "main", retries, draw }, session.config.retry);
    if (decision.kind === "give-up" || overloads >= options.overloadsAllowed) {
      failed(null);
      return { kind: "failed", failure };
    }
    failed(decision.inMs);
    await clock.sleep(decision.inMs, signal);
    if (signal.aborted) return { kind: "aborted", draft };
  }
}

type Once =
  | { readonly kind: "answered"; readonly response: CompleteResponse; readonly draft: ResponseDraft }
  | { readonly kind: "failed"; readonly failure: CallFailure }
  | { readonly kind: "aborted"; readonly draft: ResponseDraft };

async function once(
  session: Session,
  request: WireRequest,
  attempt: number,
  draft: ResponseDraft,
  signal: AbortSignal,
): Promise<Once> {
  const { turn, round, overhead, model, options } = session;
  const { conversation } = session;
  const projection = conversation.projection();
  const origin = session.originOf(projection, overhead, conversation.pins());
  const estimate = Object.values(origin).reduce((sum, tokens) => sum + tokens, 0);
  session.emit({ kind: "request_sent", attempt, estimate, messages: request.messages.length, origin });
  options.observer?.requestBuilt?.({ wire: request, projection, log: conversation.log(), pins: conversation.pins() });
  const startedAt = session.now();
  for await (const event of options.client.send({ request, source: "main", turn, round, attempt, signal })) {
    switch (event.kind) {
      case "started":
        session.learnName(model, event.model);
        draft.start(event.messageId, event.model, event.usage);
        break;
      case "block":
        draft.take(event.index, event.block);
        break;
      case "complete": {
        const { messageId, stopReason, usage } = event.response;
        const durationMs = session.now() - startedAt;
        session.emit({ kind: "response_received", attempt, messageId, stopReason, usage, durationMs });
        session.record({ kind: "answer-ended", stopReason, usage });
        return { kind: "answered", response: event.response, draft };
      }
      case "failed":
        return { kind: "failed", failure: event.failure };
      case "aborted":
        return { kind: "aborted", draft };
      default:
        assertNever(event);
    }
  }
  const error = { class: "transient", text: "the client ended without saying how" } as const;
  return { kind: "failed", failure: { error, status: null, retryAfterMs: null, shouldRetry: null } };
}
