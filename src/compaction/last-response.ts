import type { Message } from "../transcript/index.ts";

/** Ids of the tool calls that the last response of the live part made, over all its parts (M2); empty where it made none. */
export function lastResponseCalls(messages: readonly Message[]): readonly string[] {
  const calls: string[] = [];
  let id: string | undefined;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i] as Message;
    if (message.kind === "boundary") break;
    if (message.kind !== "assistant") continue;
    id ??= message.id;
    if (message.id !== id) break;
    for (const block of message.content) if (block.type === "tool_use") calls.push(block.id);
  }
  return calls;
}

/** The last message, unless a call of the last response has no result yet: null then, for nothing covers what is still to come (SM1). */
export function lastSettledUuid(messages: readonly Message[]): string | null {
  const open = new Set(lastResponseCalls(messages));
  for (let i = messages.length - 1; i >= 0 && open.size > 0; i--) {
    const message = messages[i] as Message;
    if (message.kind === "boundary") break;
    if (message.kind !== "user") continue;
    for (const block of message.content) if (block.type === "tool_result") open.delete(block.tool_use_id);
  }
  return open.size === 0 ? (messages.at(-1)?.uuid ?? null) : null;
}
