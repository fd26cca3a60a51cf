import type { ModelInfo } from "../../tokens/index.ts";
import type { WireThinking } from "../../transcript/index.ts";
import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import type { RequestFacts } from "../facts/request-facts.ts";

const leastBudget = 1_024;

/** V5, the settings: a type that the model takes, a budget that fits. */
export function checkThinkingConfig({ body, model }: RequestFacts): ApiError | undefined {
  const { thinking } = body;
  if (thinking !== undefined && thinking !== null) {
    if (!model.thinking.includes(thinking.type)) return notTaken(thinking.type);
    if (thinking.type === "enabled") {
      if (thinking.budget_tokens < leastBudget)
        return invalid(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${leastBudget}`);
      if (thinking.budget_tokens >= body.max_tokens)
        return invalid(
          "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size",
        );
    }
  }
  const management = body.context_management as
    | { readonly edits?: readonly { readonly type: string }[] }
    | null
    | undefined;
  const clears = management?.edits?.some((edit) => edit.type === "clear_thinking_20251015") === true;
  if (clears && !isThinkingOn(body.thinking, model))
    return invalid("`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive");
  return undefined;
}

function notTaken(type: WireThinking["type"]): ApiError {
  if (type === "adaptive") return invalid("adaptive thinking is not supported on this model");
  return invalid(
    `"thinking.type.${type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`,
  );
}

/** Whether the model thinks: what the request says, else what the model does by itself (models that cannot be told not to). */
export function isThinkingOn(thinking: WireThinking | null | undefined, model: ModelInfo): boolean {
  if (thinking === undefined || thinking === null) return !model.thinking.includes("disabled");
  return thinking.type !== "disabled";
}
