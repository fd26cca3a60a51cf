import type { QuerySource } from "../transcript/index.ts";
import type { CallFailure } from "./client/client-port.ts";
import type { RetryConfig } from "./config.ts";

/** Whether a failed request is sent again as it is, and when (RC5). Anything but transport is somebody else's matter. */
export type RetryDecision = { readonly kind: "retry"; readonly inMs: number } | { readonly kind: "give-up" };

export interface RetryQuestion {
  readonly failure: CallFailure;
  readonly source: QuerySource;
  /** Retries made so far for this request. */
  readonly retries: number;
  /** Chance in [0, 1) of this draw. */
  readonly draw: number;
}

export function decideRetry({ failure, source, retries, draw }: RetryQuestion, config: RetryConfig): RetryDecision {
  const background = isBackground(source);
  if (!isTransport(failure) || retries >= config.maxRetries[background ? "background" : "foreground"]) return giveUp;
  // A server that is full is not helped by work that nobody waits for.
  if (background && failure.error.class === "overloaded") return giveUp;
  if (failure.shouldRetry === false) return giveUp;
  if (failure.retryAfterMs !== null) {
    return failure.retryAfterMs > config.maxRetryAfterMs ? giveUp : { kind: "retry", inMs: failure.retryAfterMs };
  }
  return { kind: "retry", inMs: backoffMs(retries, draw, config) };
}

/** Doubles with each retry up to the longest delay; chance takes up to `jitter` of it off, so that clients do not come back together. Whole milliseconds. */
export function backoffMs(retries: number, draw: number, config: RetryConfig): number {
  let delay = config.firstDelayMs;
  for (let i = 0; i < retries; i++) delay *= 2;
  return Math.round(Math.min(delay, config.maxDelayMs) * (1 - config.jitter * draw));
}

/** Nobody waits for these: they do without. A compaction is waited for by the person, so it counts as foreground. */
function isBackground(source: QuerySource): boolean {
  return source === "session_memory" || source === "context_collapse" || source === "subagent";
}

function isTransport({ error }: CallFailure): boolean {
  return error.class === "transient" || error.class === "overloaded" || error.class === "rate-limited";
}

const giveUp: RetryDecision = { kind: "give-up" };
