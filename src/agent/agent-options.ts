import type { ClockPort, CompactionEvent } from "../compaction/index.ts";
import type { ModelInfo } from "../tokens/index.ts";
import type { Message, WireRequest, WireThinking, WireTool } from "../transcript/index.ts";
import type { ClientPort } from "./client/client-port.ts";
import type { LoopConfig } from "./config.ts";
import type { LoopEvent } from "./events.ts";
import type { SessionRecord, SessionStore } from "./session-record.ts";
import type { Answer, CacheEditPin, Strategy } from "./strategy/port.ts";
import type { ToolPort } from "./tool-port.ts";

/** The world as one agent sees it. One agent is one conversation: nothing here is shared with another through the agent. */
export interface AgentOptions {
  readonly client: ClientPort;
  readonly clock: ClockPort;
  readonly uuid: () => string;
  /** Chance in [0, 1), the same for the same key (retry jitter). */
  readonly random: (key: string) => number;
  readonly strategy: Strategy;
  readonly tools: ToolPort;
  readonly toolDefinitions: readonly WireTool[];
  readonly system: string;
  readonly model: ModelInfo;
  /** Step 5; without one an overload that lasts ends the turn. */
  readonly fallbackModel?: ModelInfo;
  /** What `ask` takes for `model: "small"`; default: the main model. */
  readonly smallModel?: ModelInfo;
  /** A wish: a model that does not take it gets what is nearest. Null: none is sent. */
  readonly thinking: WireThinking | null;
  /** Lowers the model's window (LONGHAUL_CONTEXT_WINDOW); the model's own when left out. */
  readonly windowCap?: number;
  readonly config?: Partial<LoopConfig>;
  readonly emit: (event: LoopEvent | CompactionEvent) => void;
  readonly observer?: AgentObserver;
  /** The file as it is now, null when it is gone. Default: no files. */
  readonly readFile?: (path: string) => Promise<string | null>;
  /** Keeps text outside the context and returns a short reference to it. Default: in memory. */
  readonly spill?: (text: string) => string;
  /** A conversation to go on with, from a file of another program: messages only. */
  readonly history?: readonly Message[];
  /** A session to go on with, from its own records. Not together with `history`. */
  readonly resume?: readonly SessionRecord[];
  /** Where this session is kept. Default: nowhere. */
  readonly store?: SessionStore;
}

/** Sees what the loop does, for judges and records; never changes it, never throws. */
export interface AgentObserver {
  /** A main request is about to be sent: what it was made from, and what goes on the wire. */
  requestBuilt?(sent: {
    readonly wire: WireRequest;
    readonly projection: readonly Message[];
    readonly log: readonly Message[];
    readonly pins: readonly CacheEditPin[];
  }): void;
  /** A strategy's answer was applied. */
  edited?(change: {
    readonly moment: string;
    readonly answer: Answer;
    readonly before: readonly Message[];
    readonly after: readonly Message[];
  }): void;
}
