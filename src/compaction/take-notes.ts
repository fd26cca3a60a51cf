import type { Message } from "../transcript/index.ts";
import type { CompactionContext } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import { lastResponseCalls } from "./last-response.ts";
import { isAutoCompactEnabled } from "./thresholds.ts";

/**
 * Looks whether notes are due, and begins them (SM1). Called when no result is outstanding: before a request, and after a response without a tool call.
 * Only for the main thread, and only where compaction may start by itself: nobody else would use them.
 */
export function takeNotes(
  { config, memory }: Conversation,
  messages: readonly Message[],
  tokens: number,
  context: CompactionContext,
): void {
  if (context.querySource !== "main" || !config.sessionMemory.enabled || !isAutoCompactEnabled(config)) return;
  memory.observe(tokens, 0);
  memory.startIfDue(messages, lastResponseCalls(messages).length > 0, context);
}
