import type { AssistantMessage, Message } from "./message.ts";
import { isThinking } from "./thinking.ts";

/** `messages` is the input itself when nothing was dropped; a message that held only thinking stays, empty, for M4 to leave out. */
export interface ThinkingDropped {
  readonly messages: readonly Message[];
  /** Blocks. */
  readonly dropped: number;
}

/**
 * Leaves out all thinking that was made before the latest change to what stands before it (M7). Thinking made after the change stays byte for byte.
 * `latestChangeUuid` is the uuid of the last message that stood when the change was made; null: nothing has changed.
 * Where that message is gone, all thinking goes: a refused request costs more than lost thinking.
 * A response never loses a part of its thinking: if the change falls among its parts, all of it goes.
 */
export function dropReboundThinking(messages: readonly Message[], latestChangeUuid: string | null): ThinkingDropped {
  if (latestChangeUuid === null) return { messages, dropped: 0 };
  const found = messages.findLastIndex((message) => message.uuid === latestChangeUuid);
  if (found < 0) return dropAllThinking(messages);
  const straddling = messages.slice(0, found + 1).findLast(isResponse)?.id;
  // Stryker disable next-line EqualityOperator: where the message itself is a response, it is the straddling one.
  return dropWhere(messages, (message, i) => i <= found || message.id === straddling);
}

/** Leaves out thinking that another model made: only its maker can read it (RC4). */
export function dropThinkingOfOtherModels(messages: readonly Message[], modelId: string): ThinkingDropped {
  return dropWhere(messages, (message) => message.model !== modelId);
}

/** Leaves out all thinking: for a request with another system prompt or other tools (M7, FC3). */
export function dropAllThinking(messages: readonly Message[]): ThinkingDropped {
  return dropWhere(messages, () => true);
}

/** An unfinished tool loop: the last message that counts is a tool call or tool results (RC4: with `enabled`, thinking cannot be dropped here). */
export function isInToolLoop(messages: readonly Message[]): boolean {
  const last = messages.findLast((message) => message.kind === "user" || isResponse(message));
  if (last === undefined) return false;
  const open = last.kind === "user" ? "tool_result" : "tool_use";
  return last.content.some((block) => block.type === open);
}

function isResponse(message: Message): message is AssistantMessage {
  return message.kind === "assistant";
}

function dropWhere(
  messages: readonly Message[],
  goes: (message: AssistantMessage, index: number) => boolean,
): ThinkingDropped {
  let dropped = 0;
  let out: Message[] | undefined;
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.kind !== "assistant" || !message.content.some(isThinking) || !goes(message, i)) continue;
    const content = message.content.filter((block) => !isThinking(block));
    dropped += message.content.length - content.length;
    out ??= messages.slice();
    out[i] = { ...message, content };
  }
  return { messages: out ?? messages, dropped };
}
