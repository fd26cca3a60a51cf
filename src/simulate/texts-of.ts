import type { Message } from "../transcript/index.ts";
import { assertNever } from "../transcript/index.ts";

/** Every text that a model would read in these messages: what is said, called and answered. Notices and boundaries are not sent. */
export function textsOf(messages: readonly Message[]): string[] {
  const texts: string[] = [];
  for (const message of messages) {
    switch (message.kind) {
      case "boundary":
      case "notice":
        break;
      case "user":
      case "assistant":
      case "attachment":
        for (const block of message.content) {
          if (block.type === "text") texts.push(block.text);
          else if (block.type === "thinking") texts.push(block.thinking);
          else if (block.type === "tool_use") texts.push(JSON.stringify(block.input));
          else if (block.type === "tool_result") texts.push(...resultTexts(block.content));
        }
        break;
      default:
        assertNever(message);
    }
  }
  return texts;
}

function resultTexts(content: string | readonly { readonly type: string; readonly text?: string }[]): string[] {
  return typeof content === "string"
    ? [content]
    : content.flatMap((part) => (part.text === undefined ? [] : [part.text]));
}
