import type { Fault, FaultKind } from "../fault.ts";

/** Where in the making of an answer a fault acts. */
export type FaultPhase = "refuse" | "cache" | "summary" | "answer" | "usage" | "bytes";

const phases: Readonly<Record<FaultKind, FaultPhase>> = {
  "prompt-too-long": "refuse",
  "rate-limit": "refuse",
  overloaded: "refuse",
  "api-error": "refuse",
  timeout: "refuse",
  "request-too-large": "refuse",
  "bad-gateway-html": "refuse",
  "auth-expired": "refuse",
  "long-context-denied": "refuse",
  "connection-reset": "refuse",
  "stream-cut": "bytes",
  "stream-error-event": "bytes",
  "stream-stall": "bytes",
  "malformed-sse": "bytes",
  "malformed-json-body": "bytes",
  "empty-200": "bytes",
  "html-200": "bytes",
  "interleaved-blocks": "bytes",
  "duplicate-message-start": "bytes",
  "usage-missing": "usage",
  "usage-zero": "usage",
  "usage-wrong": "usage",
  "cache-flush": "cache",
  "wrong-stop-reason": "answer",
  "max-tokens-cut": "answer",
  refusal: "answer",
  "context-window-exceeded-stop": "answer",
  "tool-call-instead-of-summary": "summary",
  "empty-summary": "summary",
  "whitespace-summary": "summary",
  "thinking-only": "summary",
  "no-tags": "summary",
  "unclosed-summary": "summary",
  "unclosed-analysis": "summary",
  "nested-summary": "summary",
  "html-summary-in-body": "summary",
  "oversized-summary": "summary",
  "truncated-summary": "summary",
  "error-text-as-summary": "summary",
};

/** A connection reset before the headers refuses the request; one after them breaks the body. */
export function phaseOf(fault: Pick<Fault, "kind" | "with">): FaultPhase {
  if (fault.kind === "connection-reset" && fault.with?.when === "after-headers") return "bytes";
  return phases[fault.kind];
}
