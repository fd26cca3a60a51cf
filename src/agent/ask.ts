import type { AskPort, AskReply, AskRequest, MainThread } from "../compaction/index.ts";
import { askReply, forkRequest } from "../compaction/index.ts";
import type { WireRequest } from "../transcript/index.ts";
import { assertNever } from "../transcript/index.ts";
import type { CallFailure } from "./client/client-port.ts";
import { decideRetry } from "./retry.ts";
import type { Session } from "./session.ts";
import { metaMessage } from "./turn-state.ts";

/**
 * Questions outside the main loop (ST4, FC3), over the same client. With system, tools, thinking and cache edits `same`, the request begins with the main
 * thread's bytes, so the prompt cache is shared. Transport retries are inside; no answer is ever run or added to the conversation.
 */
export function createAsk(session: Session): AskPort {
  return async (request) => {
    // What has no signal of its own runs in the background, and ends with the conversation.
    const signal = request.signal ?? session.closed;
    const wire = askRequest(session, request);
    const { clock, random } = session.options;
    for (let retries = 0; ; retries++) {
      if (signal.aborted) return { kind: "aborted" };
      const attempt = session.nextAttempt(request.purpose);
      const ended = await once(session, request, wire, attempt, signal);
      if (ended.kind !== "failed") return ended;
      const { failure } = ended;
      const draw = random(`retry/${request.purpose}/${session.round}/${attempt}`);
      const decision = decideRetry({ failure, source: request.purpose, retries, draw }, session.config.retry);
      const retryInMs = decision.kind === "retry" ? decision.inMs : null;
      session.emit({ kind: "request_failed", attempt, error: failure.error, retryInMs }, request.purpose);
      if (retryInMs === null) return { kind: "error", error: failure.error };
      await clock.sleep(retryInMs, signal);
    }
  };
}

function askRequest(session: Session, request: AskRequest): WireRequest {
  const { conversation, options, previousLength } = session;
  const main: MainThread = {
    frame: session.frame(),
    messages: conversation.projection(),
    latestChangeUuid: conversation.latestChangeUuid(),
    previousLength,
    prepare: (parts, ending) => session.history(parts, conversation.rewrites(), ending),
  };
  return forkRequest(request, main, metaMessage(session, request.instruct), options.smallModel);
}

type Once = AskReply | { readonly kind: "failed"; readonly failure: CallFailure };

async function once(
  session: Session,
  { purpose, messages }: AskRequest,
  request: WireRequest,
  attempt: number,
  signal: AbortSignal,
): Promise<Once> {
  const { turn, round, options, conversation } = session;
  const origin = session.originOf(messages, session.overhead, conversation.pins());
  const estimate = Object.values(origin).reduce((sum, tokens) => sum + tokens, 0);
  session.emit({ kind: "request_sent", attempt, estimate, messages: request.messages.length, origin }, purpose);
  const startedAt = session.now();
  for await (const event of options.client.send({ request, source: purpose, turn, round, attempt, signal })) {
    switch (event.kind) {
      case "started":
      case "block":
        break;
      case "complete": {
        const { messageId, stopReason, usage } = event.response;
        const durationMs = session.now() - startedAt;
        session.emit({ kind: "response_received", attempt, messageId, stopReason, usage, durationMs }, purpose);
        return askReply(event.response);
      }
      case "failed":
        return event;
      case "aborted":
        return event;
      default:
        assertNever(event);
    }
  }
  const error = { class: "transient", text: "the client ended without saying how" } as const;
  return { kind: "failed", failure: { error, status: null, retryAfterMs: null, shouldRetry: null } };
}
