import { stableHash } from "../determinism/index.ts";
import type {
  AssistantMessage,
  AttachmentMessage,
  Block,
  BoundaryMessage,
  ImageBlock,
  Message,
  NoticeMessage,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  Usage,
  UserMessage,
} from "../transcript/index.ts";

/** What a builder fills in may be overridden by name. Uuids are drawn from the content: the same call gives the same message. */
type Fields<M extends Message> = Partial<Omit<M, "kind" | "content">>;

/** What a person typed, or a user message of the given blocks. */
export function aUser(content: string | readonly Block[], fields: Fields<UserMessage> = {}): UserMessage {
  const blocks = blocksOf(content);
  return { kind: "user", uuid: uuidFor("user", blocks), timestamp: 0, content: blocks, ...fields };
}

/** A whole response with a stop reason that fits, or one part of it when `id` is shared. Its id is drawn from the content unless given. */
export function anAssistant(
  content: string | readonly Block[],
  fields: Fields<AssistantMessage> = {},
): AssistantMessage {
  const blocks = blocksOf(content);
  const uuid = uuidFor("assistant", [fields.id, blocks]);
  return {
    kind: "assistant",
    uuid,
    timestamp: 0,
    id: `msg_${uuid}`,
    model: "claude-opus-4-6",
    content: blocks,
    stopReason: blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn",
    usage: null,
    ...fields,
  };
}

/** A user message with one tool result. */
export function aResultMessage(
  toolUseId: string,
  content: ToolResultBlock["content"] = "ok",
  fields: Fields<UserMessage> = {},
): UserMessage {
  return aUser([aToolResult(toolUseId, content)], fields);
}

export function aBoundary(fields: Fields<BoundaryMessage> = {}): BoundaryMessage {
  return {
    kind: "boundary",
    uuid: uuidFor("boundary", fields),
    timestamp: 0,
    trigger: "auto",
    tokensBefore: 170_000,
    tokensAfter: 20_000,
    messagesSummarized: 0,
    lastUuidBefore: null,
    keptUuids: [],
    ...fields,
  };
}

export function aNotice(text: string, fields: Fields<NoticeMessage> = {}): NoticeMessage {
  return { kind: "notice", uuid: uuidFor("notice", text), timestamp: 0, text, ...fields };
}

/** A re-read file, unless `fields.attachment` says what else. */
export function anAttachment(
  content: string | readonly Block[],
  fields: Fields<AttachmentMessage> = {},
): AttachmentMessage {
  const blocks = blocksOf(content);
  const uuid = uuidFor("attachment", blocks);
  return {
    kind: "attachment",
    uuid,
    timestamp: 0,
    attachment: { kind: "file", path: `/repo/${uuid}.ts` },
    content: blocks,
    ...fields,
  };
}

export function aToolUse(id: string, name = "Read", input: unknown = { file_path: `/repo/${id}.ts` }): ToolUseBlock {
  return { type: "tool_use", id, name, input };
}

export function aToolResult(toolUseId: string, content: ToolResultBlock["content"] = "ok"): ToolResultBlock {
  return { type: "tool_result", tool_use_id: toolUseId, content };
}

/** A signed thinking block; the signature is drawn from the text. */
export function aThinking(thinking = "Let me see."): ThinkingBlock {
  return { type: "thinking", thinking, signature: `sig-${stableHash(thinking)}` };
}

/** The header of a PNG of this size: enough for whoever reads dimensions. */
export function anImage(width = 300, height = 200): ImageBlock {
  return { type: "image", source: { type: "base64", media_type: "image/png", data: pngHeader(width, height) } };
}

/** All figures 0 but those given. */
export function aUsage(figures: Partial<Usage> = {}): Usage {
  return { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, ...figures };
}

/** The same messages as one session: uuids `m0`, `m1`, … and a second between neighbours, so that nothing is there twice. */
export function inOrder<M extends Message>(messages: readonly M[], startMs = 0): readonly M[] {
  return messages.map((message, i) => ({ ...message, uuid: `m${i}`, timestamp: startMs + 1000 * i }));
}

function blocksOf(content: string | readonly Block[]): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function uuidFor(kind: Message["kind"], content: unknown): string {
  return `${kind}-${stableHash(JSON.stringify(content))}`;
}

function pngHeader(width: number, height: number): string {
  const bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
  for (const side of [width, height]) for (const shift of [24, 16, 8, 0]) bytes.push((side >>> shift) & 0xff);
  return btoa(String.fromCharCode(...bytes, 8, 6, 0, 0, 0));
}
