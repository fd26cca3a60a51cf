export type { Breaker } from "./auto/breaker.ts";
export { breakerAfterFailure, breakerAt, closedBreaker } from "./auto/breaker.ts";
export { irreducibleTokens } from "./auto/irreducible.ts";
export { shouldAutoCompact } from "./auto/should-auto-compact.ts";
export type { CompactionMark, Judgement } from "./auto/thrash-guard.ts";
export { judgeResult } from "./auto/thrash-guard.ts";
export type { BeforeRequest } from "./before-request.ts";
export type { ConfigInput } from "./check-config.ts";
export { ConfigError } from "./check-config.ts";
export type { Compactor } from "./compactor.ts";
export { createCompactor } from "./compactor.ts";
export type { CompactorState } from "./compactor-state.ts";
export type {
  AutoConfig,
  CompactionConfig,
  FullConfig,
  KeepLimits,
  LimitsConfig,
  MicroConfig,
  SessionMemoryConfig,
} from "./config.ts";
export { defaultConfig } from "./config.ts";
export type { CompactionContext, CompactorPorts } from "./context.ts";
export type { ConfigNotice, Environment } from "./environment.ts";
export { createJsonlSink, createMemorySink, type MemorySink } from "./event-sinks.ts";
export type {
  AutoCompactBlocker,
  CompactionEvent,
  CompactionFact,
  EventContext,
  EventSink,
  Layer,
  RecoveryStep,
  Trigger,
} from "./events.ts";
export { formatSummary } from "./full/format-summary.ts";
export { fullCompact } from "./full/full-compact.ts";
export type { FullCompactInput } from "./full/full-compact-input.ts";
export { truncateHeadForRetry } from "./full/truncate-head.ts";
export type { CachedEdits, CachedEditsState, CacheEditPin } from "./micro/cached-edits.ts";
export { createCachedEdits, emptyCachedEdits } from "./micro/cached-edits.ts";
export { clearResults } from "./micro/clear-results.ts";
export type { MicroPlan } from "./micro/microcompact.ts";
export { applyMicroPlan, planMicrocompact } from "./micro/microcompact.ts";
export type { Clearing } from "./micro/time-clearing.ts";
export { planTimeClearing } from "./micro/time-clearing.ts";
export { ConversationFull, SessionBusy, UnknownModel } from "./plain/plain-error.ts";
export type { PlainCall, PlainRequest, PlainResponse, PlainSessionOptions } from "./plain/plain-options.ts";
export type { PlainSession } from "./plain/plain-session.ts";
export { createPlainSession } from "./plain/plain-session.ts";
export type { PlainState } from "./plain/plain-state.ts";
export type { CompactionCost, CompactionOutcome, CompactionPlan } from "./plan.ts";
export { applyPlan } from "./plan.ts";
export type {
  AnnouncePort,
  AskPort,
  AskReply,
  AskRequest,
  CallError,
  ClockPort,
  ErrorClass,
  Forked,
  HooksPort,
  IdPort,
  NotesPort,
  ReadFilesPort,
} from "./ports.ts";
export { askReply } from "./request/ask-reply.ts";
export type { PreparedMessages, RequestParts } from "./request/build-request.ts";
export { buildRequest, clearedResultText, prepareMessages, sendableMessages } from "./request/build-request.ts";
export { capThatFits } from "./request/cap-that-fits.ts";
export type { Refusal } from "./request/classify-error.ts";
export { classifyError } from "./request/classify-error.ts";
export type { MainThread } from "./request/fork-request.ts";
export { forkRequest } from "./request/fork-request.ts";
export { type Overhead, overheadOf } from "./request/overhead.ts";
export type { ResolvedConfig } from "./resolve-config.ts";
export { resolveConfig } from "./resolve-config.ts";
export { adjustIndexToKeepInvariants } from "./session-memory/invariant-index.ts";
export { calculateKeepIndex } from "./session-memory/keep-index.ts";
export { notesSections, notesTemplate } from "./session-memory/notes-template.ts";
export type { TokenWarningState, WindowLimits } from "./thresholds.ts";
export {
  autoCompactThreshold,
  blockingLimit,
  effectiveWindow,
  tokenWarningState,
  usedWindow,
} from "./thresholds.ts";
