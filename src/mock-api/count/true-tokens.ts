import type { RequestFacts } from "../facts/request-facts.ts";
import { overheads } from "./rates.ts";

/** Input tokens of a request as the server counts them (K1). `leftOut` are blocks that the model does not get to see. */
export function trueTokens(facts: RequestFacts): number {
  let sum = overheads.request + toolTokens(facts) + systemTokens(facts);
  for (const message of facts.messages) sum += message.tokens[facts.tokenizer];
  return sum;
}

export function toolTokens(facts: RequestFacts): number {
  if (facts.tools.length === 0) return 0;
  return facts.tools.reduce<number>((sum, tool) => sum + tool.tokens[facts.tokenizer], overheads.anyTools);
}

export function systemTokens(facts: RequestFacts): number {
  if (facts.system.length === 0) return 0;
  return facts.system.reduce<number>((sum, block) => sum + block.tokens[facts.tokenizer], overheads.system);
}
