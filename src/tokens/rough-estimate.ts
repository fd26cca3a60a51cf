import type { Block, Message, ToolResultPart } from "../transcript/index.ts";
import { assertNever } from "../transcript/index.ts";

/** Tokens of an image or a document whose size nobody looked at. Source: T2. */
export const mediaTokens = 2000;

/** The rule of thumb: characters by `bytesPerToken`, not rounded, so that sums are exact (T1). 2 suits JSON-like files (FC10). */
export function roughTokenCount(text: string, bytesPerToken = 4): number {
  return text.length / bytesPerToken;
}

/** Rough tokens of one block (T2): a multiple of 0.25, not padded. Signatures, ids and wrappers weigh nothing. */
export function estimateBlock(block: Block): number {
  switch (block.type) {
    case "text":
      return block.text.length / 4;
    case "thinking":
      return block.thinking.length / 4;
    case "redacted_thinking":
      return block.data.length / 4;
    case "tool_use":
      return (block.name.length + jsonLength(block.input ?? {})) / 4;
    case "tool_result":
      return estimateResult(block.content);
    case "image":
    case "document":
      return mediaTokens;
    case "compaction":
    case "cache_edits":
      return jsonLength(block) / 4;
    case "opaque":
      return jsonLength(block.wire) / 4;
    default:
      return assertNever(block);
  }
}

/** Rough tokens of one message, not padded: 0 for what is never sent, the rendered form for an attachment (T3). */
export function estimateMessage(message: Message): number {
  switch (message.kind) {
    case "user":
    case "assistant":
    case "attachment": {
      let sum = 0;
      for (let i = 0; i < message.content.length; i++) sum += estimateBlock(message.content[i] as Block);
      return sum;
    }
    case "boundary":
    case "notice":
      return 0;
    default:
      return assertNever(message);
  }
}

/** The plain sum of T2 over the messages (T3). */
export function roughTokenSum(messages: readonly Message[]): number {
  let sum = 0;
  for (let i = 0; i < messages.length; i++) sum += estimateMessage(messages[i] as Message);
  return sum;
}

/** The padded estimate: the sum by 4/3, rounded up (T3). */
export function estimateMessageTokens(messages: readonly Message[]): number {
  return padded(roughTokenSum(messages));
}

/** The pad of T3. */
export function padded(sum: number): number {
  return Math.ceil((sum * 4) / 3);
}

function estimateResult(content: string | readonly ToolResultPart[]): number {
  if (typeof content === "string") return content.length / 4;
  let sum = 0;
  for (let i = 0; i < content.length; i++) sum += estimateBlock(content[i] as ToolResultPart);
  return sum;
}

/** Length of the JSON text; 0 for what has none (a function). */
function jsonLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
