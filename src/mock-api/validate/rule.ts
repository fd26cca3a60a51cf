import type { ApiError } from "../api-error.ts";
import type { RequestFacts } from "../facts/request-facts.ts";
import type { ProviderProfile } from "../options.ts";

/** One group of the validation (V2-V8). Gives the first failure, or undefined where the request passes. Changes nothing. */
export type Rule = (facts: RequestFacts, context: RuleContext) => ApiError | undefined;

export interface RuleContext {
  readonly profile: ProviderProfile;
  /** Beta headers of the request. */
  readonly betas: ReadonlySet<string>;
  /** The `anthropic-version` of the request. */
  readonly version: string;
}
