import { mediaTokens, roughTokenCount } from "../../tokens/index.ts";
import type { Block, Message, UserMessage } from "../../transcript/index.ts";
import { newestHumanMessage } from "../../transcript/index.ts";
import { cutMiddle, fairCap } from "./cut-text.ts";
import { mediaAsMarkers } from "./prepare.ts";

export interface KeepNewest {
  readonly maxTokens: number;
  /** The server has refused this conversation's media: they would be refused again. */
  readonly mediaRefused: boolean;
  /** Identity for a message that had to be changed. */
  readonly uuid: () => string;
}

/**
 * The newest human message of `live`, to stand after the summary, where it is not among `kept` (FC9): the same object, unless it is
 * too long (cut in the middle, with a note), holds refused media (markers), or holds tool results, whose calls are summarised away.
 * Null where there is none or it is kept anyway.
 */
export function newestMessageToKeep(
  live: readonly Message[],
  kept: readonly Message[],
  { maxTokens, mediaRefused, uuid }: KeepNewest,
): UserMessage | null {
  const newest = newestHumanMessage(live);
  if (newest === undefined || kept.includes(newest)) return null;
  const content = cutToFit(withoutMedia(withoutResults(newest), mediaRefused, maxTokens).content, maxTokens);
  const changed = content.length !== newest.content.length || content.some((block, i) => block !== newest.content[i]);
  return changed ? { ...newest, uuid: uuid(), content } : newest;
}

function withoutResults(message: UserMessage): UserMessage {
  return {
    ...message,
    content: message.content.filter((block) => block.type !== "tool_result" && block.type !== "cache_edits"),
  };
}

/** Media go where they were refused, or where they alone are more than may be kept. */
function withoutMedia(message: UserMessage, refused: boolean, maxTokens: number): UserMessage {
  const media = message.content.filter((block) => block.type === "image" || block.type === "document").length;
  return refused || media * mediaTokens > maxTokens ? mediaAsMarkers(message) : message;
}

function cutToFit(content: readonly Block[], maxTokens: number): readonly Block[] {
  const lengths = content.map((block) => (block.type === "text" ? block.text.length : 0));
  const cap = fairCap(lengths, maxTokens / roughTokenCount("x"));
  return content.map((block) =>
    block.type === "text" && block.text.length > cap ? { ...block, text: cutMiddle(block.text, cap, CUT_NOTE) } : block,
  );
}

const CUT_NOTE = "\n[… the middle of this message was cut, because it is too long to keep whole …]\n";
