import type { ApiError } from "./api-error.ts";
import { overLimit } from "./faults/refuse.ts";

/** The organisation's limit of input tokens a minute, on virtual time (A3). */
export interface RateLimit {
  /** A refusal where the tokens do not fit now; else they are taken. Cached reads do not count, as in public documentation. */
  take(tokens: number, model: string, now: number): ApiError | undefined;
  headers(now: number): Readonly<Record<string, string>>;
}

/** A bucket that refills continuously and holds one minute's worth. */
export function createRateLimit(tokensPerMinute: number | undefined): RateLimit {
  if (tokensPerMinute === undefined) return { take: () => undefined, headers: () => ({}) };
  let left = tokensPerMinute;
  let at: number | undefined;
  const refill = (now: number): void => {
    if (at !== undefined) left = Math.min(tokensPerMinute, left + ((now - at) / 60_000) * tokensPerMinute);
    at = now;
  };
  const secondsUntil = (tokens: number): number => Math.max(0, Math.ceil(((tokens - left) / tokensPerMinute) * 60));
  return {
    take: (tokens, model, now) => {
      refill(now);
      const wanted = Math.min(tokens, tokensPerMinute);
      if (wanted > left) {
        const headers = { "retry-after": String(secondsUntil(wanted)) };
        return { status: 429, type: "rate_limit_error", message: overLimit(model, tokensPerMinute), headers };
      }
      left -= wanted;
      return undefined;
    },
    headers: (now) => {
      refill(now);
      return {
        "anthropic-ratelimit-input-tokens-limit": String(tokensPerMinute),
        "anthropic-ratelimit-input-tokens-remaining": String(Math.floor(left)),
        "anthropic-ratelimit-input-tokens-reset": new Date(now + secondsUntil(tokensPerMinute) * 1_000).toISOString(),
      };
    },
  };
}
