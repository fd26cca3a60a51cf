import Anthropic, { APIError, APIUserAbortError } from "@anthropic-ai/sdk";
import type { CallError, ClockPort } from "../../compaction/index.ts";
import { classifyError } from "./classify-error.ts";
import type { CallFailure, ClientCall, ClientEvent, ClientPort } from "./client-port.ts";
import type { ResponseAssembler } from "./response-assembler.ts";
import { createResponseAssembler, MalformedStream } from "./response-assembler.ts";
import { retryAfterMs } from "./retry-after.ts";

export interface SdkClientOptions {
  readonly apiKey: string;
  /** Default: the SDK's. */
  readonly baseUrl?: string;
  readonly fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly clock: ClockPort;
  /** Longest silence before the first event of a stream. Default 600 000: the SDK's own limit, which real time would keep. */
  readonly firstEventTimeoutMs?: number;
  /** Longest silence inside a stream. Default 120 000: pings and text come every few seconds. */
  readonly stallTimeoutMs?: number;
}

/**
 * The client on the official SDK: raw stream events, no retries of its own, and a watch for what the SDK does not notice (mock-api.md S3):
 * a stream that ends without message_stop, a body that stalls, a 200 that is no event stream, blocks out of order.
 */
export function createSdkClient(options: SdkClientOptions): ClientPort {
  const sdk = new Anthropic({
    apiKey: options.apiKey,
    maxRetries: 0,
    logLevel: "off",
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  return { send: (call) => send(sdk, options, call) };
}

type Stream = AsyncIterable<Anthropic.RawMessageStreamEvent>;

async function* send(sdk: Anthropic, options: SdkClientOptions, call: ClientCall): AsyncGenerator<ClientEvent> {
  const { clock, firstEventTimeoutMs = 600_000, stallTimeoutMs = 120_000 } = options;
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
    // `messages.create` would write a warning to the console with every request to a model that is going away.
    const { data: stream, response } = await sdk
      .post<Stream>("/v1/messages", {
        body: { ...call.request, stream: true },
        stream: true,
        signal: abort.signal,
        headers: headersOf(call),
      })
      .withResponse();
    contentType = response.headers.get("content-type") ?? "";
    for await (const event of stream) {
      unwatch();
      for (const taken of assembler.take(event)) {
        yield taken;
        if (taken.kind === "complete") return;
      }
      unwatch = watch(stallTimeoutMs);
    }
  } catch (error) {
    failure = failureOf(error, clock.now());
  } finally {
    unwatch();
    call.signal.removeEventListener("abort", onAbort);
    abort.abort(); // frees the connection of a stream that is left early
  }
  if (call.signal.aborted) return yield { kind: "aborted" };
  if (stalled) failure = transient(assembler.started() ? "the stream stalled" : "the server did not answer in time");
  yield { kind: "failed", failure: failure ?? transient(silentEnd(assembler, contentType)) };
}

function headersOf(call: ClientCall): Record<string, string> {
  return {
    "x-longhaul-source": call.source,
    "x-longhaul-turn": String(call.turn),
    "x-longhaul-round": String(call.round),
    "x-longhaul-attempt": String(call.attempt),
  };
}

/** Why a stream that ended without an error is no answer all the same. */
function silentEnd(assembler: ResponseAssembler, contentType: string): string {
  if (assembler.started()) return "the stream ended before the message did";
  return /event-stream/.test(contentType)
    ? "the stream held no message"
    : `200 with ${contentType.split(";")[0] || "no content type"} in place of an event stream`;
}

/** Errors of the SDK and of the network, told apart by their class, never by their text: another engine words them otherwise. */
function failureOf(error: unknown, nowMs: number): CallFailure {
  if (error instanceof MalformedStream) return transient(error.message);
  if (error instanceof SyntaxError) return transient("malformed stream: data that is not JSON");
  if (error instanceof APIUserAbortError) return transient("the request was aborted");
  if (!(error instanceof APIError)) return transient("the connection broke");
  const body = error.error as
    | { readonly message?: unknown; readonly error?: { readonly message?: unknown } }
    | undefined;
  const status = typeof error.status === "number" ? error.status : null;
  if (status === null && body === undefined) return transient("no connection to the server");
  const message = body?.error?.message ?? body?.message;
  const header = (name: string): string | null => error.headers?.get(name) ?? null;
  const shouldRetry = header("x-should-retry");
  return {
    error: classifyError({ status, type: error.type, message: typeof message === "string" ? message : null }),
    status,
    retryAfterMs: retryAfterMs(header, nowMs),
    shouldRetry: shouldRetry === "true" ? true : shouldRetry === "false" ? false : null,
  };
}

function transient(text: string): CallFailure {
  const error: CallError = { class: "transient", text };
  return { error, status: null, retryAfterMs: null, shouldRetry: null };
}
