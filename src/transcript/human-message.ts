import type { Message, UserMessage } from "./message.ts";

/** Typed by a person (M1): a user message that is not meta, no summary, and holds more than tool results. */
export function isHumanMessage(message: Message): message is UserMessage {
  return (
    message.kind === "user" &&
    message.isMeta !== true &&
    message.isCompactSummary !== true &&
    message.content.some((block) => block.type !== "tool_result" && block.type !== "cache_edits")
  );
}

/** The last message typed by a person, undefined when there is none. */
export function newestHumanMessage(messages: readonly Message[]): UserMessage | undefined {
  return messages.findLast(isHumanMessage);
}
