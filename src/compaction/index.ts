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
