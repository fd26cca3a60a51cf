import type { WireBlock } from "../transcript/index.ts";

/** All text of a block that a model reads, string by string: texts, thinking, tool inputs, tool results and documents. Media and signatures are none. */
export function blockTexts(block: WireBlock): readonly string[] {
  switch (block.type) {
    case "text":
      return strings(block.text);
    case "thinking":
      return strings(block.thinking);
    case "tool_use":
      return strings(block.input);
    case "tool_result":
    case "compaction":
      return typeof block.content === "string" ? [block.content] : parts(block.content);
    case "document":
      return parts([block.source]);
    default:
      return [];
  }
}

function parts(content: unknown): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    if (typeof part !== "object" || part === null) return [];
    const { type, text, data } = part as Readonly<Record<string, unknown>>;
    if (type === "text") return strings(text ?? data);
    return [];
  });
}

function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(strings);
  return [];
}
