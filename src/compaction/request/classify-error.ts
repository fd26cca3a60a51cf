import type { CallError, ErrorClass } from "../ports.ts";

/** What the server said when it refused: the door's view, before it is understood. */
export interface Refusal {
  /** HTTP status; null for an error event inside a stream. */
  readonly status: number | null;
  /** `error.type` of the body; null where the body could not be read. */
  readonly type: string | null;
  /** `error.message` of the body; null where the body could not be read. */
  readonly message: string | null;
}

/**
 * Why a request was refused, whatever the provider's wording (RC2-RC5). The class follows the message where that is clear, else the type, else the status.
 * Not taken for an overflow: a 429, with or without a body, and a 400 about max_tokens alone.
 */
export function classifyError(refusal: Refusal): CallError {
  const text = refusal.message ?? plainText(refusal);
  const sizes = refusal.status === 429 ? undefined : sizeError(text);
  return sizes === undefined ? { class: classOf(refusal, text), text } : { ...sizes, text };
}

type SizeError = Omit<CallError, "text">;

function sizeError(message: string): SizeError | undefined {
  // Bedrock and gateways wrap the text; numbers come with any thousands separator.
  const both = new RegExp(`exceeds? (?:the )?context limit[^\\d]*(${NUMBER}) \\+ (${NUMBER}) > (${NUMBER})`).exec(
    message,
  );
  if (both !== null) {
    return { class: "output-overflow", tokens: numberOf(both[1]) + numberOf(both[2]), limit: numberOf(both[3]) };
  }
  if (
    /\b(image|document|pdf|media)\b/i.test(message) &&
    /exceeds?|too (large|many|big)|maximum|larger than/i.test(message)
  ) {
    return { class: "media" };
  }
  const gap = new RegExp(`(${NUMBER})\\s*tokens?\\s*>\\s*(${NUMBER})`).exec(message);
  if (gap !== null) return { class: "overflow", tokens: numberOf(gap[1]), limit: numberOf(gap[2]) };
  if (OVERFLOW_WORDINGS.some((wording) => wording.test(message))) return { class: "overflow" };
  return undefined;
}

const NUMBER = "\\d[\\d,._'\\u2019\\u00a0\\u202f ]*\\d|\\d";

/** Anthropic, Bedrock, Vertex, and what gateways and other providers say. */
const OVERFLOW_WORDINGS: readonly RegExp[] = [
  /prompt is too long/i,
  /input is too long/i,
  /(input|context|prompt).{0,40}(exceeds?|exceeded|longer than|too long for).{0,60}(context|window|token)/i,
  /context (length|window).{0,20}exceed/i,
  /too many (input )?tokens/i,
];

function classOf({ status, type }: Refusal, text: string): ErrorClass {
  switch (type) {
    case "overloaded_error":
      return "overloaded";
    case "rate_limit_error":
      // The plan does not allow a context of this size: waiting does not change that.
      return /extra usage is required/i.test(text) ? "permanent" : "rate-limited";
    case "api_error":
    case "timeout_error":
      return "transient";
    case "authentication_error":
    case "permission_error":
    case "billing_error":
      return "auth";
    case "request_too_large":
      return "media";
    case "invalid_request_error":
    case "not_found_error":
      return "permanent";
    default:
      return classOfStatus(status);
  }
}

function classOfStatus(status: number | null): ErrorClass {
  if (status === null || status === 408 || status === 409) return "transient";
  if (status === 401 || status === 402 || status === 403) return "auth";
  if (status === 413) return "media";
  if (status === 429) return "rate-limited";
  if (status === 529) return "overloaded";
  return status >= 500 ? "transient" : "permanent";
}

function plainText({ status, type }: Refusal): string {
  return status === null
    ? `the stream ended with an error (${type ?? "untyped"})`
    : `HTTP ${status} without a readable error body`;
}

function numberOf(digits: string | undefined): number {
  return Number(String(digits).replace(/\D/g, ""));
}
