export { groupByApiRound, roundStarts } from "./api-round.ts";
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
export { blockFromWire, blockToWire } from "./block-wire.ts";
export {
  dropAllThinking,
  dropReboundThinking,
  dropThinkingOfOtherModels,
  isInToolLoop,
  type ThinkingDropped,
} from "./bound-thinking.ts";
export { lastBoundaryIndex, messagesAfterLastBoundary } from "./boundary.ts";
export { isHumanMessage, newestHumanMessage } from "./human-message.ts";
export type {
  AssistantMessage,
  AttachmentMessage,
  BoundaryMessage,
  Message,
  NoticeMessage,
  Usage,
  UserMessage,
} from "./message.ts";
export { messagesFromWire, type PlainMessage } from "./messages-from-wire.ts";
export { normalizeForApi } from "./normalize-for-api.ts";
export { renderAttachment } from "./render-attachment.ts";
export { textOf } from "./text-of.ts";
export {
  emptiedMessageText,
  ensureToolResultPairing,
  missingResultText,
  type Paired,
  type RepairKind,
} from "./tool-result-pairing.ts";
export { findTranscriptProblems, type Problem, type ProblemKind } from "./transcript-problem.ts";
export type {
  QuerySource,
  WireBlock,
  WireMessage,
  WireRequest,
  WireResponse,
  WireThinking,
  WireTool,
} from "./wire.ts";
export { continueText, createWireTranscript, type Pin, type WireTranscript } from "./wire-transcript.ts";
