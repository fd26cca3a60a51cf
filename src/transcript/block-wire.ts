import type { Block, ToolResultBlock, ToolResultPart } from "./block.ts";
import type { WireBlock } from "./wire.ts";

/** The block as the wire has it: the same object, but for opaque blocks, which are unwrapped (also inside a tool result). */
export function blockToWire(block: Block): WireBlock {
  if (block.type === "opaque") return block.wire;
  if (block.type === "tool_result" && typeof block.content !== "string" && block.content.some(isOpaque)) {
    return { ...block, content: block.content.map((part) => (part.type === "opaque" ? part.wire : part)) };
  }
  return block as object as WireBlock;
}

/**
 * A wire block as a typed one: the same object where this version knows the type and the fields it needs are there;
 * anything else, a broken known block included, comes back whole inside an `opaque` block (M3). Never throws.
 */
export function blockFromWire(wire: { readonly type: string }): Block {
  const block = wire as WireBlock;
  if (!isKnown(block)) return { type: "opaque", wire: block };
  const typed = block as object as Block;
  return typed.type === "tool_result" ? withTypedParts(typed) : typed;
}

function isKnown(block: WireBlock): boolean {
  switch (block.type) {
    case "text":
      return typeof block.text === "string";
    case "thinking":
      return typeof block.thinking === "string";
    case "redacted_thinking":
      return typeof block.data === "string";
    case "tool_use":
      return typeof block.id === "string" && typeof block.name === "string";
    case "tool_result":
      return typeof block.tool_use_id === "string";
    case "image":
    case "document":
      return isSource(block.source);
    case "compaction":
      return block.content === null || typeof block.content === "string";
    case "cache_edits":
      return Array.isArray(block.edits);
    default:
      return false; // an open set: what the wire adds tomorrow is opaque today
  }
}

function isSource(source: unknown): boolean {
  if (source === null || typeof source !== "object") return false;
  const { type, data, url, file_id } = source as Record<string, unknown>;
  return (
    ((type === "base64" || type === "text") && typeof data === "string") ||
    (type === "url" && typeof url === "string") ||
    (type === "file" && typeof file_id === "string")
  );
}

/** A result without content (the wire allows it) gets the empty text, so that nobody meets undefined. */
function withTypedParts(result: ToolResultBlock): ToolResultBlock {
  const content: unknown = result.content;
  if (typeof content === "string") return result;
  if (!Array.isArray(content)) return { ...result, content: "" };
  const parts = content.map(partFromWire);
  return parts.some((part, i) => part !== content[i]) ? { ...result, content: parts } : result;
}

function partFromWire(wire: WireBlock): ToolResultPart {
  const part = blockFromWire(wire);
  return part.type === "text" || part.type === "image" || part.type === "document" || part.type === "opaque"
    ? part
    : { type: "opaque", wire };
}

function isOpaque(part: ToolResultPart): boolean {
  return part.type === "opaque";
}
