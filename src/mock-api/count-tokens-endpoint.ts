import type { ApiError } from "./api-error.ts";
import type { Call } from "./call.ts";
import { isObject } from "./form/shape.ts";
import { openRequest } from "./open-request.ts";
import { prepare } from "./prepare.ts";
import type { ServerState } from "./server-state.ts";
import { admit } from "./validate/admit.ts";

/** POST /v1/messages/count_tokens: the same checks as a message, but for its size, and the true count. */
export function countTokens(call: Call, state: ServerState): ApiError | { readonly found: unknown } {
  const body =
    isObject(call.body) && call.body.max_tokens === undefined
      ? { ...call.body, max_tokens: anyOutput(call.body) }
      : call.body;
  const opened = openRequest({ ...call, body }, state);
  if ("status" in opened) return opened;
  const admitted = admit(opened.facts, opened.rules, state);
  if (!("kind" in admitted)) return admitted;
  const { positions, applied, originalTokens } = prepare(opened, admitted.lost, state);
  const context_management = applied === null ? null : { original_input_tokens: originalTokens };
  return { found: { input_tokens: positions.total, ...(opened.isBeta ? { context_management } : {}) } };
}

/** No answer is asked for, so no limit stands in the body: one above any thinking budget passes the checks. */
function anyOutput(body: Readonly<Record<string, unknown>>): number {
  const thinking = body.thinking;
  const budget = isObject(thinking) ? thinking.budget_tokens : undefined;
  return typeof budget === "number" && Number.isInteger(budget) && budget > 0 ? budget + 1 : 1;
}
