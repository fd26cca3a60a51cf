import type { RequestFacts } from "../facts/request-facts.ts";

/** Input tokens of a request as the server counts them (K1), all that it holds seen by the model. */
export function trueTokens(facts: RequestFacts): number {
  return facts.last.tokens;
}
