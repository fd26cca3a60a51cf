import type { ModelInfo } from "../../tokens/index.ts";
import type { WireMessage, WireThinking } from "../../transcript/index.ts";

/** Thinking as this model takes it, nearest to what is wished for; null: the field is left out. */
export function thinkingFor(model: ModelInfo, wish: WireThinking | null, maxTokens: number): WireThinking | null {
  if (wish === null) return null;
  if (wish.type === "disabled") return model.thinking.includes("disabled") ? wish : null;
  if (model.thinking.includes(wish.type))
    return wish.type === "enabled" ? withinOutput(wish.budget_tokens, maxTokens) : wish;
  if (model.thinking.includes("adaptive")) return { type: "adaptive" };
  if (model.thinking.includes("enabled")) return withinOutput(Number.POSITIVE_INFINITY, maxTokens);
  return null;
}

/** The least budget that the API takes (mock-api.md V5). */
const LEAST_BUDGET = 1_024;

/** A budget must be below max_tokens, and half of it should be left for the answer; where that is too little, no thinking. */
function withinOutput(wished: number, maxTokens: number): WireThinking | null {
  const budget = Math.min(wished, Math.floor(maxTokens / 2));
  return budget < LEAST_BUDGET ? null : { type: "enabled", budget_tokens: budget };
}

/**
 * Whether `enabled` thinking would be refused here (V5, RC4): an unfinished tool loop whose assistant message has lost the thinking that it must begin with.
 * Then thinking is off until the loop ends.
 */
export function lacksOpeningThinking(messages: readonly WireMessage[]): boolean {
  const last = messages.at(-1);
  const answer = messages.at(-2);
  if (last?.role !== "user" || answer?.role !== "assistant") return false;
  if (typeof last.content === "string" || typeof answer.content === "string") return false;
  if (!last.content.some((block) => block.type === "tool_result")) return false;
  const first = answer.content[0]?.type;
  return first !== "thinking" && first !== "redacted_thinking";
}
