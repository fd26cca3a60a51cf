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
