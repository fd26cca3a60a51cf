import type { Estimator, ModelInfo } from "../tokens/index.ts";
import type { Message, QuerySource, UserMessage } from "../transcript/index.ts";
import type { KeepLimits } from "./config.ts";
import type { CompactionFact } from "./events.ts";
import type { AnnouncePort, AskPort, ClockPort, HooksPort, IdPort, NotesPort, ReadFilesPort } from "./ports.ts";

/** Where the conversation stands when a layer is asked: the same for all layers. */
export interface CompactionContext {
  readonly model: ModelInfo;
  /** Estimate of the system prompt and the tools, in tokens. */
  readonly overheadTokens: number;
  readonly querySource: QuerySource;
  /** Counted by the caller; rounds count over the whole conversation. */
  readonly turn: number;
  readonly round: number;
  /** `max_tokens` of the main request. */
  readonly requestMaxTokens: number;
  /** No person is waiting: the summary message says so (FC8). */
  readonly autonomous: boolean;
  /** The user's message that waits to be sent and does not stand in the messages yet (ST2). It is never summarised, and counts in every size. */
  readonly pending?: UserMessage | null;
  readonly signal?: AbortSignal;
}

/** The world as one conversation's compactor sees it. All but the first five are optional: what is missing is left out of the result. */
export interface CompactorPorts {
  readonly ask: AskPort;
  readonly clock: ClockPort;
  readonly ids: IdPort;
  readonly estimator: Estimator;
  /** Receives facts; whoever builds the ports adds turn, round and time (TE1). Never throws. */
  readonly emit: (fact: CompactionFact) => void;
  readonly readFiles?: ReadFilesPort;
  readonly hooks?: HooksPort;
  readonly announce?: AnnouncePort;
  readonly notes?: NotesPort;
  /** Text of the project's memory file (CLAUDE.md, AGENTS.md), null where there is none (FC6). */
  readonly memoryFile?: () => string | null;
  /** Where the full transcript can be read, if anywhere (FC8). */
  readonly transcriptPath?: string;
  /** Forgets what a compaction made stale: system-prompt sections, classifier and approval caches (PC1). Never throws. */
  readonly forgetCaches?: () => void;
  /** Exact size of a whole next request, in tokens; null where it cannot be told (FC9). Never rejects. */
  readonly count?: (messages: readonly Message[]) => Promise<number | null>;
  /**
   * Tokens (unpadded) that a snip, if there is one, has taken out of messages before the newest response since this was asked last (RC1, AC5).
   * Asked once before every request.
   */
  readonly takeSnippedTokens?: () => number;
  /** Limits from elsewhere, read once when the compactor is made (SM2). */
  readonly remoteKeepLimits?: () => Partial<KeepLimits> | null;
}
