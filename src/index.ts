/**
 * longhaul: the four-layer compaction library and its ports, and the agent loop that drives it on the official Anthropic SDK.
 * The library itself (`createCompactor` and what it stands on) has no clock, no chance, no I/O and no dependencies.
 */
export {
  type Agent,
  type AgentOptions,
  createAgent,
  createOtelSink,
  createSdkClient,
  createStrategy,
  fourLayer,
  type Strategy,
  strategyNames,
  type ToolPort,
} from "./agent/index.ts";
export {
  adjustIndexToKeepInvariants,
  applyPlan,
  autoCompactThreshold,
  blockingLimit,
  type CompactionConfig,
  type CompactionContext,
  type CompactionEvent,
  type CompactionOutcome,
  type CompactionPlan,
  type Compactor,
  type CompactorPorts,
  ConversationFull,
  calculateKeepIndex,
  createCompactor,
  createJsonlSink,
  createMemorySink,
  createPlainSession,
  defaultConfig,
  effectiveWindow,
  formatSummary,
  type MemorySink,
  type PlainSession,
  type PlainSessionOptions,
  type PlainState,
  resolveConfig,
  tokenWarningState,
  truncateHeadForRetry,
} from "./compaction/index.ts";
export { type Clock, systemClock } from "./determinism/index.ts";
export {
  costOf,
  createCalibratedEstimator,
  createSessionLedger,
  type Estimator,
  estimateMessageTokens,
  findModel,
  type ModelInfo,
  models,
  roughEstimator,
  type SessionLedger,
  tokenCountWithEstimation,
} from "./tokens/index.ts";
export {
  type Block,
  ensureToolResultPairing,
  findTranscriptProblems,
  groupByApiRound,
  type Message,
  messagesFromWire,
  normalizeForApi,
  type WireMessage,
} from "./transcript/index.ts";
