import type { Block, MediaSource } from "../transcript/index.ts";
import { assertNever } from "../transcript/index.ts";
import type { ContentKind } from "./chars-per-token.ts";
import { imageSize } from "./image-size.ts";
import { mediaTokens } from "./rough-estimate.ts";

/** How what stands in a block is weighed. Each answer is the weight of what it was asked of. */
export interface Scale {
  /** Of whatever kind: the scale looks. */
  text(text: string): number;
  /** So many characters of a kind that is known. */
  chars(kind: ContentKind, count: number): number;
  /** Tokens that no rate touches. */
  tokens(count: number): number;
}

/** The weight of a block on a scale (T6): everything in it, one thing after the other. Ids, wrappers and signatures have none. */
export function weighBlock(block: Block, scale: Scale): number {
  switch (block.type) {
    case "text":
      return scale.text(block.text);
    case "thinking":
      return scale.text(block.thinking);
    case "redacted_thinking":
      // Encrypted and in base64: four characters stand for three of thinking.
      return scale.chars("prose", block.data.length * 0.75);
    case "tool_use":
      return scale.text(block.name) + weighJson(block.input ?? {}, scale);
    case "tool_result": {
      if (typeof block.content === "string") return scale.text(block.content);
      let sum = 0;
      for (const part of block.content) sum += weighBlock(part, scale);
      return sum;
    }
    case "image":
      return scale.tokens(imageTokens(block.source));
    case "document":
      return block.source.type === "text" ? scale.text(block.source.data) : scale.tokens(mediaTokens);
    case "compaction":
      return scale.text(block.content ?? "");
    case "cache_edits":
      return weighJson(block, scale);
    case "opaque":
      return weighJson(block.wire, scale);
    default:
      return assertNever(block);
  }
}

function weighJson(value: unknown, scale: Scale): number {
  return scale.text(JSON.stringify(value) ?? "");
}

/** Larger images are scaled down by the server before they are counted. Source: the platform's vision page (1 568 pixels on the long edge, 1.15 megapixels). */
const longEdge = 1_568;
const mostPixels = 1_150_000;

/** Width × height / 750 where the header tells them, after scaling down. Source: the same page. */
function imageTokens(source: MediaSource): number {
  const size = source.type === "base64" ? imageSize(source.data) : null;
  if (size === null) return mediaTokens;
  const scale = Math.min(1, longEdge / Math.max(size.width, size.height));
  return Math.min(mostPixels, size.width * size.height * scale * scale) / 750;
}
