export { createVirtualClock, type VirtualClock } from "../determinism/index.ts";
export {
  aBoundary,
  aNotice,
  anAssistant,
  anAttachment,
  anImage,
  aResultMessage,
  aThinking,
  aToolResult,
  aToolUse,
  aUsage,
  aUser,
  inOrder,
} from "./message-builders.ts";
export { disorderedTranscript, validTranscript } from "./transcript-arbitraries.ts";
