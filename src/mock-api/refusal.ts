import type { ApiError } from "./api-error.ts";
import { errorBody } from "./api-error.ts";
import type { Latency, Reply } from "./call.ts";

/** Virtual milliseconds that a refusal takes. Modelled. */
export const refusalMs = 200;

/** A refusal as a reply, with the headers of its kind (A3). */
export function refusal(
  error: ApiError,
  requestId: string,
  latency: Latency = { first: refusalMs, before: [] },
): Reply {
  return {
    status: error.status,
    headers: {
      "request-id": requestId,
      ...(error.status === 400 ? { "x-should-retry": "false" } : {}),
      ...(error.status === 529 ? { "x-should-retry": "true" } : {}),
      ...error.headers,
    },
    body: { kind: "json", value: errorBody(error, requestId) },
    latency,
  };
}
