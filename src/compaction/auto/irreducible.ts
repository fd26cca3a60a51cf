import type { Estimator } from "../../tokens/index.ts";
import type { Message, UserMessage } from "../../transcript/index.ts";
import { messagesAfterLastBoundary, newestHumanMessage } from "../../transcript/index.ts";
import type { CompactionConfig } from "../config.ts";

/**
 * Tokens that no compaction can free: system prompt, tools, and the message that waits, or the newest human message as far as it is kept (AC8, FC9).
 * At or above the threshold a compaction call would be wasted.
 */
export function irreducibleTokens(
  messages: readonly Message[],
  overheadTokens: number,
  config: CompactionConfig,
  estimator: Estimator,
  pending: UserMessage | null = null,
): number {
  const { keepNewestUserMessage, newestUserMessageMaxTokens } = config.full;
  if (pending !== null) return overheadTokens + estimator.total(estimator.message(pending));
  const human = keepNewestUserMessage ? newestHumanMessage(messagesAfterLastBoundary(messages)) : undefined;
  if (human === undefined) return overheadTokens;
  return overheadTokens + Math.min(estimator.total(estimator.message(human)), newestUserMessageMaxTokens);
}
