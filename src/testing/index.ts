export { createVirtualClock, type VirtualClock } from "../determinism/index.ts";
export { aModel, type DrivenAgent, driveAgent } from "./drive-agent.ts";
export { type HistoriesPlan, type HistoriesReport, playHistories } from "./histories/play-histories.ts";
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
export { eventsOf, type MessageReply, type Reply, type ScriptedServer, scriptedServer } from "./scripted-server.ts";
export { type StrategyContractOptions, type StrategyLaw, strategyContract } from "./strategy-contract.ts";
export { type Damage, damage, disorderedTranscript, spoil, validTranscript } from "./transcript-arbitraries.ts";
