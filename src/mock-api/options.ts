import type { Rng } from "../determinism/index.ts";
import type { MockEvent } from "./event.ts";
import type { Fault } from "./fault.ts";
import type { ModelPort } from "./ports.ts";

export interface MockApiOptions {
  readonly model: ModelPort;
  /** The stream of the mock: every draw forks from it by what it is for. */
  readonly rng: Rng;
  /** Milliseconds since the epoch, on the run's clock. */
  readonly now: () => number;
  readonly faults?: readonly Fault[];
  /** Whose wording and limits (V9). Default: anthropic. */
  readonly profile?: ProviderProfile;
  /** Keys that are let in. Default: any well-formed one. */
  readonly apiKeys?: readonly string[];
  /** The true limit in tokens, where it is smaller than the model's published window. `unlimited`: nothing is refused for its size, in tokens or in bytes. */
  readonly windowOverride?: number | "unlimited";
  /** Organisation limit of input tokens a minute; none by default. */
  readonly inputTokensPerMinute?: number;
  readonly observer?: (event: MockEvent) => void;
  /** Mean size in bytes of the chunks in which a body is sent; borders are seeded (S1). "whole": one chunk. Default: 700. */
  readonly chunking?: number | "whole";
}

export const providerProfiles = [
  "anthropic",
  "bedrock",
  "vertex",
  "no-gap",
  "strict-roles",
  "legacy-output-check",
] as const;
export type ProviderProfile = (typeof providerProfiles)[number];
