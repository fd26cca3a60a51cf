import type { Estimator } from "../../tokens/index.ts";
import type { Message } from "../../transcript/index.ts";
import { lastBoundaryIndex } from "../../transcript/index.ts";
import type { KeepLimits } from "../config.ts";
import { adjustIndexToKeepInvariants } from "./invariant-index.ts";

/**
 * Index of the first message that session memory keeps (SM3): what the notes do not cover, and before it as much as the limits ask for.
 * Passed through SM4, so no pair and no response is split. One pass. `lastSummarizedIndex` is -1 where the notes cover nothing.
 */
export function calculateKeepIndex(
  messages: readonly Message[],
  lastSummarizedIndex: number,
  limits: KeepLimits,
  estimator: Estimator,
): number {
  return adjustIndexToKeepInvariants(messages, unadjustedKeepIndex(messages, lastSummarizedIndex, limits, estimator));
}

/** The same before SM4. */
export function unadjustedKeepIndex(
  messages: readonly Message[],
  lastSummarizedIndex: number,
  limits: KeepLimits,
  estimator: Estimator,
): number {
  const floor = lastBoundaryIndex(messages) + 1;
  let index = Math.min(messages.length, Math.max(floor, lastSummarizedIndex + 1));
  let sum = 0;
  let texts = 0;
  for (let i = index; i < messages.length; i++) {
    sum += estimator.message(messages[i] as Message);
    texts += hasText(messages[i] as Message) ? 1 : 0;
  }
  const isEnough = (): boolean => {
    const tokens = estimator.total(sum);
    return tokens >= limits.maxTokens || (tokens >= limits.minTokens && texts >= limits.minTextBlockMessages);
  };
  while (index > floor && !isEnough()) {
    index--;
    sum += estimator.message(messages[index] as Message);
    texts += hasText(messages[index] as Message) ? 1 : 0;
  }
  return index;
}

/** Said by a person or by the model; a bare tool result is neither. */
function hasText(message: Message): boolean {
  return (
    (message.kind === "user" || message.kind === "assistant") &&
    message.content.some((block) => block.type === "text" && block.text !== "")
  );
}
