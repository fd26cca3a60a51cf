import type { QuerySource } from "../transcript/index.ts";

/** A fault as data (mock-api.md F): what, when, how often. */
export interface Fault {
  readonly id: string;
  readonly kind: FaultKind;
  readonly match: FaultMatch;
  /** How often at most; default 1, or without bound where `match.probability` is given. */
  readonly times?: number;
  /** Kind-specific settings, checked by the fault's own file. */
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}

/** All given conditions must hold. Counting starts at 1. */
export interface FaultMatch {
  /** nth request of all, or of `source` where that is given; `every` request when left out. */
  readonly nth?: number;
  readonly source?: QuerySource;
  /** Sent by our own client in a header. */
  readonly turn?: number;
  readonly round?: { readonly from?: number; readonly to?: number };
  readonly contextAboveTokens?: number;
  readonly probability?: number;
}

/** Where in the answer a fault acts tells how it is made: an HTTP refusal, a bad stream, wrong figures, or another answer by the model. */
export type FaultKind = (typeof faultKinds)[number];

export const faultKinds = [
  "prompt-too-long",
  "rate-limit",
  "overloaded",
  "api-error",
  "timeout",
  "request-too-large",
  "bad-gateway-html",
  "auth-expired",
  "long-context-denied",
  "connection-reset",
  "stream-cut",
  "stream-error-event",
  "stream-stall",
  "malformed-sse",
  "malformed-json-body",
  "empty-200",
  "html-200",
  "interleaved-blocks",
  "duplicate-message-start",
  "usage-missing",
  "usage-zero",
  "usage-wrong",
  "cache-flush",
  "wrong-stop-reason",
  "max-tokens-cut",
  "refusal",
  "context-window-exceeded-stop",
  "tool-call-instead-of-summary",
  "empty-summary",
  "whitespace-summary",
  "thinking-only",
  "no-tags",
  "unclosed-summary",
  "unclosed-analysis",
  "nested-summary",
  "html-summary-in-body",
  "oversized-summary",
  "truncated-summary",
  "error-text-as-summary",
] as const;
