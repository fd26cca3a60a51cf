import type { Message, ToolResultBlock } from "../transcript/index.ts";
import { lastBoundaryIndex } from "../transcript/index.ts";

/** Ids of the tool calls that the last response of the live part made, over all its parts (M2); empty where it made none. */
export function lastResponseCalls(messages: readonly Message[]): readonly string[] {
  return lastResponse(messages).calls;
}

/** The last message, unless a call of the last response has no result yet: null then, for nothing covers what is still to come (SM1). */
export function lastSettledUuid(messages: readonly Message[]): string | null {
  const { first, calls } = lastResponse(messages);
  const answered = new Set<string>();
  for (const message of messages.slice(first)) {
    if (message.kind !== "user") continue;
    for (const block of message.content) answered.add((block as ToolResultBlock).tool_use_id);
  }
  return calls.every((id) => answered.has(id)) ? (messages.at(-1)?.uuid ?? null) : null;
}

/** Index of its first part, and its calls, the newest first; where there is none, the end and no calls. */
function lastResponse(messages: readonly Message[]): { readonly first: number; readonly calls: readonly string[] } {
  const calls: string[] = [];
  const start = lastBoundaryIndex(messages) + 1;
  let first = messages.length;
  let id: string | undefined;
  for (let i = messages.length - 1; i >= start; i--) {
    const message = messages[i] as Message;
    if (message.kind !== "assistant") continue;
    id ??= message.id;
    if (message.id !== id) break;
    first = i;
    for (const block of message.content) if (block.type === "tool_use") calls.push(block.id);
  }
  return { first, calls };
}
