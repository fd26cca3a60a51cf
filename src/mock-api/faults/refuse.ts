import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import type { Latency, Reply } from "../call.ts";
import type { Fault } from "../fault.ts";
import type { ProviderProfile } from "../options.ts";
import { providerProfiles } from "../options.ts";
import { refusal, refusalMs } from "../refusal.ts";
import { tooLong } from "../validate/size.ts";
import { flagOf, numberOf, textOf } from "./setting.ts";

/** What a refusing fault needs to know of its request. */
export interface RefusalScene {
  readonly requestId: string;
  readonly model: string;
  readonly trueTokens: number;
  readonly window: number;
  readonly profile: ProviderProfile;
  readonly now: number;
  /** The server was asked to summarise: its refusal says so. */
  readonly isServerCompaction: boolean;
}

export interface InjectedRefusal {
  readonly reply: Reply;
  /** For the record: status 0 where there is none. */
  readonly error: Pick<ApiError, "status" | "message"> & { readonly type: string };
}

/** F2: answers without an answer. Settings are named in the comments of each kind. */
export function refuseByFault(fault: Fault, scene: RefusalScene): InjectedRefusal {
  const answer = (error: ApiError, latency?: Latency): InjectedRefusal => ({
    reply: refusal(error, scene.requestId, latency),
    error,
  });
  switch (fault.kind) {
    case "prompt-too-long":
      return answer(promptTooLong(fault, scene));
    case "rate-limit":
      return answer(rateLimit(fault, scene));
    case "overloaded": {
      const details = scene.isServerCompaction ? { details: { error_code: "compaction_unavailable" } } : {};
      const headers = retryAfter(fault, scene.now, "none");
      return answer({ status: 529, type: "overloaded_error", message: "Overloaded", headers, ...details });
    }
    case "api-error":
      return answer({ status: 500, type: "api_error", message: "Internal server error" });
    case "timeout": {
      // never: true — no answer at all; else a 504 after `seconds`
      const error: ApiError = { status: 504, type: "timeout_error", message: "Request timed out" };
      const never = flagOf(fault, "never", false);
      return answer(error, { first: never ? "never" : numberOf(fault, "seconds", 60) * 1_000, before: [] });
    }
    case "request-too-large":
      return answer({
        status: 413,
        type: "request_too_large",
        message: "Request exceeds the maximum size",
        fromEdge: true,
      });
    case "auth-expired":
      return answer({
        status: 401,
        type: "authentication_error",
        message: "OAuth token has expired. Please obtain a new token or refresh your existing token.",
      });
    case "long-context-denied":
      return answer(invalid("The long context beta is not yet available for this subscription."));
    case "bad-gateway-html":
      return {
        reply: {
          status: 502,
          headers: {},
          body: { kind: "raw", contentType: "text/html", bytes: encoder.encode(gatewayPage), ending: "end" },
          latency: { first: refusalMs, before: [] },
        },
        error: { status: 502, type: "bad_gateway", message: "Bad Gateway" },
      };
    case "connection-reset":
      return {
        reply: { status: 0, headers: {}, body: { kind: "reset" }, latency: { first: refusalMs, before: [] } },
        error: { status: 0, type: "connection_reset", message: "connection closed before the headers" },
      };
    default:
      throw new TypeError(`fault ${fault.id}: ${fault.kind} does not refuse a request`);
  }
}

/** Settings: `gap` (true), `wording` (a provider profile), `tokens` and `limit` as they shall be said. */
function promptTooLong(fault: Fault, { trueTokens, window, profile }: RefusalScene): ApiError {
  const wording = textOf(fault, "wording", profile);
  const words = providerProfiles.find((name) => name === wording) ?? profile;
  const tokens = numberOf(fault, "tokens", Math.max(trueTokens, 2));
  // The limit that is true for this request: below what it holds, whatever the client believes.
  const limit = numberOf(fault, "limit", Math.min(window, Math.floor(tokens * (1 - defaultExcess))));
  return tooLong(flagOf(fault, "gap", true) ? words : words === "anthropic" ? "no-gap" : words, tokens, limit);
}

const defaultExcess = 0.04;

/** Settings: `seconds` (5), `retryAfter` (seconds | ms | date | none), `extraUsage` for the text of the long-context tier. */
function rateLimit(fault: Fault, { model, now }: RefusalScene): ApiError {
  const message = flagOf(fault, "extraUsage", false)
    ? "Extra usage is required for long context requests."
    : overLimit(model, 30_000);
  return { status: 429, type: "rate_limit_error", message, headers: retryAfter(fault, now, "seconds") };
}

export function overLimit(model: string, tokensPerMinute: number): string {
  const limit = tokensPerMinute.toString().replace(/\B(?=(\d{3})+$)/g, ",");
  return `This request would exceed your organization's rate limit of ${limit} input tokens per minute (org: 00000000-0000-4000-a000-000000000000, model: ${model}). For details, refer to: https://docs.claude.com/en/api/rate-limits. You can see the response headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later. You may also contact sales at https://claude.com/contact-sales to discuss your options for a rate limit increase.`;
}

function retryAfter(fault: Fault, now: number, otherwise: string): Readonly<Record<string, string>> {
  const seconds = numberOf(fault, "seconds", 5);
  switch (textOf(fault, "retryAfter", otherwise)) {
    case "seconds":
      return { "retry-after": String(seconds) };
    case "ms":
      return { "retry-after-ms": String(Math.round(seconds * 1_000)) };
    case "date":
      return { "retry-after": new Date(now + seconds * 1_000).toUTCString() };
    default:
      return {};
  }
}

const gatewayPage =
  "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>\n";
const encoder = new TextEncoder();
