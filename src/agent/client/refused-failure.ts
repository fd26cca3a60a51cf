import { classifyError } from "../../compaction/index.ts";
import type { CallFailure } from "./client-port.ts";
import { retryAfterMs } from "./retry-after.ts";

/** A refusal as it came: by status, or by an error event inside a stream (status null). */
export interface RefusedReply {
  readonly status: number | null;
  /** The parsed body, undefined where it is not JSON. */
  readonly body: unknown;
  readonly header: (name: string) => string | null;
}

/** What a refusal means, and what the server asks for. The body may be Anthropic's, the edge's, or a gateway's with its message outside. */
export function refusedFailure({ status, body, header }: RefusedReply, nowMs: number): CallFailure {
  const outer = recordOf(body);
  const inner = recordOf(outer.error);
  const message = inner.message ?? outer.message;
  const shouldRetry = header("x-should-retry");
  return {
    error: classifyError({
      status,
      type: typeof inner.type === "string" ? inner.type : null,
      message: typeof message === "string" ? message : null,
    }),
    status,
    retryAfterMs: retryAfterMs(header, nowMs),
    shouldRetry: shouldRetry === "true" ? true : shouldRetry === "false" ? false : null,
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
