import type { StrategyName } from "../agent/index.ts";
import type { Fault } from "../mock-api/index.ts";
import type { NoteTakerProfileName, ProfileName, SummariserProfileName } from "../workload/index.ts";
import type { ToolFault } from "./tool-faults.ts";

/** Everything that decides a run, as plain data: equal specs and seeds give equal bytes (D1). */
export interface RunSpec {
  readonly scenario: string;
  readonly seed: string;
  readonly session: {
    readonly profile: ProfileName;
    /** Rounds that the session takes when nothing is forgotten. */
    readonly rounds: number;
    readonly summariser: SummariserProfileName;
    readonly noteTaker: NoteTakerProfileName;
  };
  readonly model: {
    readonly id: string;
    readonly fallback: string | null;
    readonly provider: ProviderName;
    /** Both sides take the window for this many tokens. Null: the model's own. `unlimited`: nothing is ever too long for either. */
    readonly window: number | "unlimited" | null;
    /** The server's window, where it is not what the client believes. Null: as believed. */
    readonly trueWindow: number | null;
  };
  readonly strategy: {
    readonly name: StrategyName;
    /** Partial `CompactionConfig`, checked by the library itself. */
    readonly config: unknown;
    /** The environment that the library would read (AC4). */
    readonly env: Readonly<Record<string, string>>;
  };
  readonly faults: readonly Fault[];
  readonly toolFaults: readonly ToolFault[];
  readonly user: readonly UserStep[];
  readonly transport: Transport;
}

export const transports = ["msw", "fetch", "direct", "loopback"] as const;
export type Transport = (typeof transports)[number];

export const providerNames = [
  "anthropic",
  "bedrock",
  "vertex",
  "no-gap",
  "strict-roles",
  "legacy-output-check",
] as const;
export type ProviderName = (typeof providerNames)[number];

/** What the user does besides the session's own script. Turns and rounds count from 1; `beforeTurn` acts before that turn's message. */
export type UserStep =
  | { readonly do: "wait"; readonly beforeTurn: number; readonly minutes: number }
  | { readonly do: "compact"; readonly beforeTurn: number; readonly focus: string }
  | { readonly do: "abort"; readonly atRound: number; readonly when: "request" | "compaction" | "tool" };
