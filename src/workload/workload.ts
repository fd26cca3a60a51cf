import type { Rng } from "../determinism/index.ts";
import type { ImageBlock, QuerySource, TextBlock, ToolResultPart, WireRequest, WireTool } from "../transcript/index.ts";
import type { FactKind, ModelTrace } from "./trace.ts";

/** A synthetic session: a world, a user, and a simulated model that knows only what its request shows. */
export interface Workload {
  readonly profile: ProfileName;
  /** System prompt. Together with `tools` about `overrides.overheadTokens` tokens. */
  readonly system: string;
  readonly tools: readonly WireTool[];
  /** What the user means to do, in order. A run should drive `user` instead, which also reacts. */
  readonly script: readonly UserAction[];
  /** The user as an actor: the script, plus answers to a model that has lost its goal or waits for a word. */
  readonly user: SimulatedUser;
  /** Structurally mock-api's ModelPort: a pure function of the request and the seed (M1). */
  readonly model: (request: WireRequest, context: ModelContext) => ModelReply;
  /** Runs a tool on the world, whose state it changes. Never throws; an unknown tool is an error result. */
  readonly runTool: (call: ToolCall, nowMs: number) => ToolOutcome;
  /** The file as it is now; null when there is none. */
  readonly readFile: (path: string) => string | null;
  /** Every fact that the session plans, in order of birth. */
  readonly facts: readonly Fact[];
  readonly goals: readonly GoalOutline[];
  /** Ids of the facts whose tokens stand in the texts, and of those that stand there with a changed number. Memoised by text. */
  readonly visibleFacts: (texts: string | Iterable<string>) => VisibleFacts;
  /** What of the facts alive now (born, still needed, not superseded) the texts show (O2). */
  readonly census: (texts: Iterable<string>) => FactCensus;
  /** Facts born since the last call, in order. */
  readonly drainBirths: () => readonly Fact[];
}

export interface WorkloadOptions {
  readonly profile: ProfileName;
  /** API rounds of the main thread when nothing is forgotten and nothing fails, about. */
  readonly rounds: number;
  readonly rng: Rng;
  /** Default `typical`. */
  readonly summariser?: SummariserProfileName;
  /** Default `typical`. */
  readonly noteTaker?: NoteTakerProfileName;
  readonly overrides?: WorkloadOverrides;
}

export interface WorkloadOverrides {
  /** Size of system prompt and tools together, tokens at 3.5 characters. Default 20 000. */
  readonly overheadTokens?: number;
  /** Milliseconds waited before the nth message of the user, by n (the first is 1). */
  readonly gapsMs?: Readonly<Record<string, number>>;
  /** False: the user never aborts. */
  readonly aborts?: boolean;
  /** False: the user never runs /compact. */
  readonly manualCompact?: boolean;
  /** False: no tool fails by itself. */
  readonly toolErrors?: boolean;
  /** All result sizes times this. */
  readonly resultScale?: number;
}

export const profileNames = [
  "bugfix",
  "refactor",
  "exploration",
  "long-autonomous",
  "test-loop",
  "research",
  "mcp-heavy",
  "image-heavy",
  "polyglot-cjk",
  "idle-overnight",
  "parallel-tools",
  "one-huge-result",
  "model-switch",
  "resumed",
] as const;
export type ProfileName = (typeof profileNames)[number];

export const summariserProfileNames = ["perfect", "typical", "forgetful", "verbose", "erratic"] as const;
export type SummariserProfileName = (typeof summariserProfileNames)[number];

export const noteTakerProfileNames = ["perfect", "typical", "forgetful", "lagging", "template-only"] as const;
export type NoteTakerProfileName = (typeof noteTakerProfileNames)[number];

export type UserAction =
  | {
      readonly kind: "say";
      readonly content: readonly (TextBlock | ImageBlock)[];
      /** Ids of the goals that this message gives or states again. */
      readonly goals: readonly string[];
      /** `restate`: the answer to a model that has lost its goal, or left one out. `nudge`: go on. */
      readonly why: "script" | "restate" | "nudge";
      /** The user breaks the turn off so long after its start, if it still runs. */
      readonly abortAfterMs?: number;
    }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "compact"; readonly focus: string }
  /** From here on the session runs on a model with this window. */
  | { readonly kind: "switch-window"; readonly window: number }
  /** The process ends and the session is loaded again from its file. */
  | { readonly kind: "resume" };

export interface SimulatedUser {
  /**
   * The next thing that the user does, given the last text of the assistant (null: none, or the turn failed).
   * Null: the user has what was asked for, or gives up after a bounded number of repeated requests.
   */
  next(lastAssistantText: string | null): UserAction | null;
}

export interface ModelContext {
  readonly source: QuerySource;
  readonly rng: Rng;
  readonly nowMs: number;
}

export type AnswerBlock =
  | { readonly kind: "thinking"; readonly thinking: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool-call"; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export interface ModelReply {
  readonly content: readonly AnswerBlock[];
  readonly stopReason?: string;
  readonly trace: readonly ModelTrace[];
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolOutcome {
  readonly content: string | readonly ToolResultPart[];
  readonly isError: boolean;
  readonly latencyMs: number;
  /** Set where the call read or wrote a whole file or a part of it: for the cache of read files. */
  readonly path?: string;
}

/** Something that can be forgotten (W2). */
export interface Fact {
  readonly id: string;
  readonly kind: FactKind;
  /** Stands in text exactly so. */
  readonly token: string;
  /** Goal and step (from 1) at which it is born; step 0: in the user's message. */
  readonly goal: string;
  readonly step: number;
  /** A tool call brings it back. */
  readonly fetchable: boolean;
  /** Id of the fact that corrects it. */
  readonly supersededBy: string | null;
}

export interface GoalOutline {
  readonly id: string;
  readonly token: string;
  readonly title: string;
  readonly steps: number;
}

export interface VisibleFacts {
  readonly visible: ReadonlySet<string>;
  readonly blurred: ReadonlySet<string>;
}

export interface FactCensus {
  readonly byKind: Readonly<
    Record<string, { readonly alive: number; readonly visible: number; readonly fetchable: number }>
  >;
  /** Ids of facts alive, not visible and not fetchable. */
  readonly lost: readonly string[];
}
