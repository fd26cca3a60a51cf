import { assertNever } from "./assert-never.ts";
import type { Block } from "./block.ts";
import type { Message } from "./message.ts";

/** What a message says in plain text: its text blocks, joined by a blank line; a notice's text; "" for a boundary. Tool output is not speech. */
export function textOf(message: Message): string {
  switch (message.kind) {
    case "user":
    case "assistant":
    case "attachment":
      return textOfBlocks(message.content);
    case "notice":
      return message.text;
    case "boundary":
      return "";
    default:
      return assertNever(message);
  }
}

function textOfBlocks(blocks: readonly Block[]): string {
  const texts: string[] = [];
  for (const block of blocks) if (block.type === "text") texts.push(block.text);
  return texts.join("\n\n");
}
