import Anthropic, { APIError, APIUserAbortError } from "@anthropic-ai/sdk";
import type { ClockPort } from "../../compaction/index.ts";
import type { CallFailure, ClientPort } from "./client-port.ts";
import { refusedFailure } from "./refused-failure.ts";
import type { Patience, Wire } from "./watched-call.ts";
import { callHeaders, transientFailure, watchedCall } from "./watched-call.ts";

export interface SdkClientOptions extends Patience {
  readonly apiKey: string;
  /** Default: the SDK's. */
  readonly baseUrl?: string;
  readonly fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly clock: ClockPort;
}

/**
 * The client on the official SDK: raw stream events, no retries of its own, and a watch for what the SDK does not notice (mock-api.md S3):
 * a stream that ends without message_stop, a body that stalls, a 200 that is no event stream, blocks out of order.
 */
export function createSdkClient(options: SdkClientOptions): ClientPort {
  const { clock } = options;
  const sdk = new Anthropic({
    apiKey: options.apiKey,
    maxRetries: 0,
    logLevel: "off",
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const wire: Wire = {
    open: async (call, signal) => {
      // `messages.create` would write a warning to the console with every request to a model that is going away.
      const { data, response } = await sdk
        .post<AsyncIterable<Anthropic.RawMessageStreamEvent>>("/v1/messages", {
          body: { ...call.request, stream: true },
          stream: true,
          signal,
          headers: callHeaders(call),
        })
        .withResponse();
      return { events: data, contentType: response.headers.get("content-type") ?? "" };
    },
    failureOf: (error) => failureOf(error, clock.now()),
  };
  return { send: (call) => watchedCall(wire, clock, options, call) };
}

/** Errors of the SDK and of the network, told apart by their class, never by their text: another engine words them otherwise. */
function failureOf(error: unknown, nowMs: number): CallFailure {
  if (error instanceof SyntaxError) return transientFailure("malformed stream: data that is not JSON");
  if (error instanceof APIUserAbortError) return transientFailure("the request was aborted");
  if (!(error instanceof APIError)) return transientFailure("the connection broke");
  const status = typeof error.status === "number" ? error.status : null;
  if (status === null && error.error === undefined) return transientFailure("no connection to the server");
  return refusedFailure({ status, body: error.error, header: (name) => error.headers?.get(name) ?? null }, nowMs);
}
