import type { Block, ToolResultBlock } from "./block.ts";

/** Whether a block may be sent at all (M4): blank text is refused, and so is thinking whose signature was lost with its stream. */
export function isSendable(block: Block): boolean {
  if (block.type === "text") return !isBlank(block.text);
  if (block.type === "thinking") return block.signature !== undefined && block.signature !== "";
  return true;
}

/** The result without blank text parts; the same object when it has none. */
export function withoutBlankParts(result: ToolResultBlock): ToolResultBlock {
  if (typeof result.content === "string" || !result.content.some(isBlankPart)) return result;
  return { ...result, content: result.content.filter((part) => !isBlankPart(part)) };
}

/** Empty, or white space only. Reads no further than the first character that is neither. */
export function isBlank(text: unknown): boolean {
  return typeof text === "string" && !/\S/.test(text);
}

function isBlankPart(part: { readonly type: string; readonly text?: unknown }): boolean {
  return part.type === "text" && isBlank(part.text);
}
