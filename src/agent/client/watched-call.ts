import type { CallError, ClockPort } from "../../compaction/index.ts";
import type { CallFailure, ClientCall, ClientEvent } from "./client-port.ts";
import type { ResponseAssembler } from "./response-assembler.ts";
import { createResponseAssembler, MalformedStream } from "./response-assembler.ts";

/** How long a silent server is believed to be alive. */
export interface Patience {
  /** Longest silence before the first event of a stream. Default 600 000: the SDK's own limit, which real time would keep. */
  readonly firstEventTimeoutMs?: number;
  /** Longest silence inside a stream. Default 120 000: text and thinking come as they are written; what the SDK keeps back are only pings. */
  readonly stallTimeoutMs?: number;
}

export interface OpenedStream {
  /** Raw events, without pings. Ends when the body ends, whole or not; throws what `failureOf` understands. */
  readonly events: AsyncIterable<unknown>;
  readonly contentType: string;
}

/** One way of reaching a server. */
export interface Wire {
  /** Resolves when the headers are there. Both it and its events end soon after the signal aborts, in whatever way. */
  open(call: ClientCall, signal: AbortSignal): Promise<OpenedStream>;
  /** What an error of this way means. */
  failureOf(error: unknown): CallFailure;
}

/** One call over a wire, with the contract of `ClientPort.send`: the same over every wire. Nothing is believed that the server did not finish. */
export async function* watchedCall(
  wire: Wire,
  clock: ClockPort,
  { firstEventTimeoutMs = 600_000, stallTimeoutMs = 120_000 }: Patience,
  call: ClientCall,
): AsyncGenerator<ClientEvent> {
  const abort = new AbortController();
  const onAbort = (): void => abort.abort();
  if (call.signal.aborted) return yield { kind: "aborted" };
  call.signal.addEventListener("abort", onAbort);
  let stalled = false;
  const watch = (ms: number): (() => void) =>
    clock.timer(ms, () => {
      stalled = true;
      abort.abort();
    });
  let unwatch = watch(firstEventTimeoutMs);
  const assembler = createResponseAssembler();
  let contentType = "";
  let failure: CallFailure | undefined;
  try {
    const opened = await wire.open(call, abort.signal);
    contentType = opened.contentType;
    for await (const event of opened.events) {
      unwatch();
      for (const taken of assembler.take(event)) {
        yield taken;
        if (taken.kind === "complete") return;
      }
      unwatch = watch(stallTimeoutMs);
    }
  } catch (error) {
    failure = error instanceof MalformedStream ? transientFailure(error.message) : wire.failureOf(error);
  } finally {
    unwatch();
    call.signal.removeEventListener("abort", onAbort);
    abort.abort(); // frees the connection of a stream that is left early
  }
  if (call.signal.aborted) return yield { kind: "aborted" };
  if (stalled)
    failure = transientFailure(assembler.started() ? "the stream stalled" : "the server did not answer in time");
  yield { kind: "failed", failure: failure ?? transientFailure(silentEnd(assembler, contentType)) };
}

/** Where a request stands in its session, for a mock that names requests by it. */
export function callHeaders(call: ClientCall): Record<string, string> {
  return {
    "x-longhaul-source": call.source,
    "x-longhaul-turn": String(call.turn),
    "x-longhaul-round": String(call.round),
    "x-longhaul-attempt": String(call.attempt),
  };
}

export function transientFailure(text: string): CallFailure {
  const error: CallError = { class: "transient", text };
  return { error, status: null, retryAfterMs: null, shouldRetry: null };
}

/** Why a stream that ended without an error is no answer all the same. */
function silentEnd(assembler: ResponseAssembler, contentType: string): string {
  if (assembler.started()) return "the stream ended before the message did";
  return /event-stream/.test(contentType)
    ? "the stream held no message"
    : `200 with ${contentType.split(";")[0] || "no content type"} in place of an event stream`;
}
