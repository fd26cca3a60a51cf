export { assertNever } from "./assert-never.ts";
export type {
  Block,
  CacheControl,
  CacheEditsBlock,
  CompactionBlock,
  DocumentBlock,
  ImageBlock,
  MediaSource,
  OpaqueBlock,
  RedactedThinkingBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolResultPart,
  ToolUseBlock,
} from "./block.ts";
export type {
  AssistantMessage,
  AttachmentMessage,
  BoundaryMessage,
  Message,
  NoticeMessage,
  Usage,
  UserMessage,
} from "./message.ts";
export type {
  QuerySource,
  WireBlock,
  WireMessage,
  WireRequest,
  WireResponse,
  WireThinking,
  WireTool,
} from "./wire.ts";
