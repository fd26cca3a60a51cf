import type { Message } from "../transcript/index.ts";
import type { CompactionContext } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import { learnFromResponse, sizeOf } from "./conversation.ts";
import { lastResponseCalls } from "./last-response.ts";
import { takeNotes } from "./take-notes.ts";

/**
 * A response has come and stands last in the messages: what was sent is pinned and known to the server (MC3), the count is exact again (AC3),
 * and notes are taken over, or begun where no tool has to answer first (SM1).
 */
export function afterResponse(
  conversation: Conversation,
  messages: readonly Message[],
  context: CompactionContext,
): void {
  if (context.querySource !== "main") return;
  const { edits, memory, ports } = conversation;
  const pin = edits.commit();
  if (pin !== null) {
    // The server's copy has lost what the block names: to the input it is an edit like any other.
    conversation.edited = true;
    ports.emit({ kind: "cache_edits_pinned", messageUuid: pin.messageUuid, toolUseIds: pin.toolUseIds });
  }
  const { count, tokens } = sizeOf(conversation, messages, context);
  learnFromResponse(conversation, messages, context);
  const { remembered } = conversation;
  conversation.remembered = {
    ...remembered,
    cachedModelId: context.model.id,
    triedReactive: false,
    justCompacted: remembered.justCompacted && count.basis === null,
  };
  memory.adopt(messages);
  const calls = lastResponseCalls(messages).length;
  if (calls === 0) takeNotes(conversation, messages, tokens, context);
  else memory.observe(tokens, calls);
}
