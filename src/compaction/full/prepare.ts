import type { AttachmentMessage, Block, Message, ToolResultPart } from "../../transcript/index.ts";

/**
 * The messages as a summary needs them (FC2): media as `[image]` and `[document]`, also inside tool results; without the attachments
 * that are announced again afterwards. The same array when nothing changed.
 */
export function prepareForSummary(messages: readonly Message[]): readonly Message[] {
  const kept = messages.some(isAnnouncedAgain) ? messages.filter((message) => !isAnnouncedAgain(message)) : messages;
  return withMediaAsMarkers(kept);
}

/** The messages with all media as markers (PT5). The same array when there is none. */
function withMediaAsMarkers(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(hasMedia)) return messages;
  return messages.map(mediaAsMarkers);
}

/** One message with its media as markers; the same object when it has none. */
export function mediaAsMarkers<M extends Message>(message: M): M {
  if (!hasMedia(message) || message.kind === "boundary" || message.kind === "notice") return message;
  return { ...message, content: message.content.map(markerFor) };
}

/** Recomputed from an empty history after every compaction (FC10), so a summary need not carry them. */
const ANNOUNCED_AGAIN: readonly AttachmentMessage["attachment"]["kind"][] = [
  "skill-list",
  "agents",
  "deferred-tools",
  "mcp",
];

function isAnnouncedAgain(message: Message): boolean {
  return message.kind === "attachment" && ANNOUNCED_AGAIN.includes(message.attachment.kind);
}

function hasMedia(message: Message): boolean {
  if (message.kind === "boundary" || message.kind === "notice") return false;
  return message.content.some(
    (block) =>
      isMedia(block) ||
      (block.type === "tool_result" && typeof block.content !== "string" && block.content.some(isMedia)),
  );
}

function isMedia(block: Block): boolean {
  return block.type === "image" || block.type === "document";
}

function markerFor(block: Block): Block {
  if (block.type === "tool_result")
    return typeof block.content === "string" ? block : { ...block, content: block.content.map(partMarker) };
  return block.type === "image" || block.type === "document" ? partMarker(block) : block;
}

function partMarker(part: ToolResultPart): ToolResultPart {
  if (part.type !== "image" && part.type !== "document") return part;
  const { cache_control } = part;
  const text = part.type === "image" ? "[image]" : "[document]";
  return cache_control === undefined ? { type: "text", text } : { type: "text", text, cache_control };
}
