import type { Block, Message, ToolResultBlock, UserMessage } from "../../transcript/index.ts";
import { lastBoundaryIndex } from "../../transcript/index.ts";

/**
 * The messages with the content of the named results of the live part replaced by the marker; everything else is the same object (M6).
 * The same array when nothing changed (MC2). tool_use blocks stay, and so do ids, `is_error` and cache marks.
 */
export function clearResults(
  messages: readonly Message[],
  toolUseIds: ReadonlySet<string>,
  marker: string,
): readonly Message[] {
  let changed: Message[] | null = null;
  for (let i = lastBoundaryIndex(messages) + 1; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.kind !== "user") continue;
    const cleared = clearMessage(message, toolUseIds, marker);
    if (cleared === message) continue;
    changed ??= [...messages];
    changed[i] = cleared;
  }
  return changed ?? messages;
}

function clearMessage(message: UserMessage, toolUseIds: ReadonlySet<string>, marker: string): UserMessage {
  if (!message.content.some((block) => isClearable(block, toolUseIds, marker))) return message;
  return {
    ...message,
    content: message.content.map((block) =>
      isClearable(block, toolUseIds, marker) ? { ...block, content: marker } : block,
    ),
  };
}

/** A result among the named ones that still has its content. */
export function isClearable(block: Block, toolUseIds: ReadonlySet<string>, marker: string): block is ToolResultBlock {
  return block.type === "tool_result" && toolUseIds.has(block.tool_use_id) && block.content !== marker;
}
