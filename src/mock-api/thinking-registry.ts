import { GenerationCache } from "./generation-cache.ts";

/** A thinking block that this server gave out, and what its request held (V5). */
export interface EmittedThinking {
  readonly signature: string;
  readonly text: string;
  readonly model: string;
  /** Name of system, tools and all non-thinking blocks before it. */
  readonly prefix: number;
  /** Thinking that stood before it: how many blocks, and the signature of the last. */
  readonly held: number;
  readonly lastHeld: string | null;
  /** Id of its response. */
  readonly response: string;
}

/** What this server gave out. Bounded: a block that is older than some 10 000 others is forgotten: more than any window holds. What a request still sends is looked up, and so stays. */
export interface ThinkingRegistry {
  add(emitted: EmittedThinking): void;
  find(signature: string): EmittedThinking | undefined;
  /** Blocks registered for a response: a cut stream registers only those whose end was sent. */
  countOf(response: string): number;
}

export function createThinkingRegistry(): ThinkingRegistry {
  const bySignature = new GenerationCache<string, EmittedThinking>(10_000);
  const byResponse = new GenerationCache<string, number>(10_000);
  return {
    add: (emitted) => {
      bySignature.set(emitted.signature, emitted);
      byResponse.set(emitted.response, (byResponse.get(emitted.response) ?? 0) + 1);
    },
    find: (signature) => bySignature.get(signature),
    countOf: (response) => byResponse.get(response) ?? 0,
  };
}
