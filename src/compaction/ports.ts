import type { Message, QuerySource, ToolUseBlock, Usage } from "../transcript/index.ts";

/** Time as the library needs it. Same contract as `Clock` of `determinism/`: concurrent work is forked, waiting is joined. */
export interface ClockPort {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  fork<T>(work: () => Promise<T>): Forked<T>;
  join<T>(forked: Forked<T>, timeoutMs?: number): Promise<T | undefined>;
  timer(ms: number, callback: () => void): () => void;
}
export interface Forked<T> {
  readonly done: () => boolean;
  readonly promise: Promise<T>;
}

/** Identity as an argument. */
export interface IdPort {
  uuid(): string;
}

/** Why a request failed, whatever the provider's wording (RC2-RC5). */
export type ErrorClass =
  | "overflow" // the input is longer than the window
  | "output-overflow" // input + max_tokens is
  | "media" // an image or document too large, too many
  | "rate-limited"
  | "overloaded"
  | "transient" // 5xx, network, a cut or stalled stream
  | "auth"
  | "refusal"
  | "permanent";

export interface CallError {
  readonly class: ErrorClass;
  /** The server's text; never a foreign library's. */
  readonly text: string;
  /** Where the text gives them: tokens sent, and the limit. */
  readonly tokens?: number;
  readonly limit?: number;
}

/** One question to a model, outside the main loop. */
export interface AskRequest {
  readonly purpose: Exclude<QuerySource, "main">;
  /** Transcript messages; M4, M5 and M7 are applied by the port. */
  readonly messages: readonly Message[];
  /** Sent last, as a user message. */
  readonly instruct: string;
  /** `same`: the main thread's, byte for byte, so that the prompt cache is shared. */
  readonly system: "same" | "none" | { readonly own: string };
  readonly tools: "same" | "none";
  readonly thinking: "same" | "off";
  /** Whether the main thread's pinned cache edits travel with it (read-only, MC4). */
  readonly cacheEdits: "same" | "none";
  readonly model: "main" | "small";
  readonly maxOutput: number;
  readonly signal?: AbortSignal;
}

export type AskReply =
  | {
      readonly kind: "answer";
      /** All text blocks, joined by a blank line. */
      readonly text: string;
      readonly stopReason: string | null;
      readonly toolCalls: readonly ToolUseBlock[];
      readonly usage: Usage | null;
    }
  | { readonly kind: "error"; readonly error: CallError }
  | { readonly kind: "aborted" };

/** Contract: never rejects; failure and abort are values. Transport retries are inside. */
export type AskPort = (request: AskRequest) => Promise<AskReply>;

/** What the main thread has read, newest last. Contract: `reset` is called only at a commit. */
export interface ReadFilesPort {
  snapshot(): readonly { readonly path: string; readonly readAtMs: number }[];
  /** The file as it is now, null when it is gone. Never rejects. */
  read(path: string): Promise<string | null>;
  /** Empties the cache and refills it with what was re-attached. */
  reset(reattached: readonly string[]): void;
}

/** Hooks by the user. May fail or hang: the library reports and skips them (FC1). Null or "" is no output. */
export interface HooksPort {
  preCompact?(trigger: "auto" | "manual" | "reactive"): Promise<string | null>;
  sessionStart?(): Promise<string | null>;
  postCompact?(summary: string): Promise<void>;
}

/** What is announced again after a compaction, computed from an empty history (FC10). */
export interface AnnouncePort {
  plan(): string | null;
  skills(): readonly { readonly name: string; readonly text: string }[];
  runningAgents(): string | null;
  deferredTools(): string | null;
  agents(): string | null;
  mcpInstructions(): string | null;
}

/** The notes file of session memory (SM). */
export interface NotesPort {
  read(): string | null;
  write(notes: string): void;
  readonly path: string;
}
