import type { WireBlock, WireMessage, WireRequest } from "../../transcript/index.ts";
import { blocksOf, withBlocks } from "./clear-tool-uses.ts";

/**
 * What the model sees of a conversation that holds a compaction block (K4): the summary in place of everything before it. Blocks without content
 * (a failed compaction) are nothing. The same body where there is no block.
 */
export function adoptCompaction(body: WireRequest): WireRequest {
  const at = body.messages.findLastIndex((message) => blocksOf(message).some(isSummary));
  if (at < 0) {
    if (!body.messages.some((message) => blocksOf(message).some((block) => block.type === "compaction"))) return body;
    return { ...body, messages: body.messages.map(withoutCompaction).filter(hasContent) };
  }
  const holder = body.messages[at] as WireMessage;
  const blocks = blocksOf(holder);
  const place = blocks.findLastIndex(isSummary);
  const summary = (blocks[place] as WireBlock).content as string;
  const rest: WireMessage = { ...holder, content: blocks.slice(place + 1) };
  const after = body.messages.slice(at + 1).map(withoutCompaction);
  return { ...body, messages: [summaryMessage(summary), rest, ...after].filter(hasContent) };
}

/** The summary as the model reads it. Own words. */
function summaryMessage(summary: string): WireMessage {
  return { role: "user", content: `The conversation before this point was summarised by the server:\n\n${summary}` };
}

function isSummary(block: WireBlock): boolean {
  return block.type === "compaction" && typeof block.content === "string";
}

function withoutCompaction(message: WireMessage): WireMessage {
  return withBlocks(message, (block) => (block.type === "compaction" ? undefined : block));
}

function hasContent(message: WireMessage): boolean {
  return message.role === "system" || message.content.length > 0;
}
