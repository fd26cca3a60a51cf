import type { WireRequest } from "../../transcript/index.ts";
import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import type { ProviderProfile } from "../options.ts";

/** V8: the true input must fit into the window; on old models the input and the allowed output together. */
export function checkSize(
  body: WireRequest,
  inputTokens: number,
  window: number,
  profile: ProviderProfile,
): ApiError | undefined {
  if (inputTokens > window) return tooLong(profile, inputTokens, window);
  if (profile === "legacy-output-check" && inputTokens + body.max_tokens > window)
    return invalid(
      `input length and \`max_tokens\` exceed context limit: ${inputTokens} + ${body.max_tokens} > ${window}, decrease input length or \`max_tokens\` and try again`,
    );
  return undefined;
}

/** The refusal for size in a provider's words (V9). `withGap: false` leaves the numbers out. */
export function tooLong(profile: ProviderProfile, tokens: number, limit: number): ApiError {
  switch (profile) {
    case "anthropic":
    case "strict-roles":
    case "legacy-output-check":
      return invalid(`prompt is too long: ${tokens} tokens > ${limit} maximum`);
    case "no-gap":
      return invalid("prompt is too long");
    case "bedrock":
      return invalid("Input is too long for requested model.");
    case "vertex":
      return { status: 413, type: "invalid_request_error", message: "Prompt is too long" };
  }
}
