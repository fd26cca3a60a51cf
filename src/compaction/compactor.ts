import type { Message } from "../transcript/index.ts";
import { closeBreaker } from "./adopt.ts";
import { afterResponse } from "./after-response.ts";
import type { BeforeRequest } from "./before-request.ts";
import { beforeRequest } from "./before-request.ts";
import type { CompactorState } from "./compactor-state.ts";
import { newCompactorState } from "./compactor-state.ts";
import type { CompactionConfig } from "./config.ts";
import type { CompactionContext, CompactorPorts } from "./context.ts";
import { startConversation, travellingPins } from "./conversation.ts";
import type { CacheEditPin } from "./micro/cached-edits.ts";
import { onTooLong } from "./on-too-long.ts";
import type { CompactionOutcome } from "./plan.ts";
import type { CallError } from "./ports.ts";
import { runCompaction } from "./run-compaction.ts";

/**
 * The four layers over one conversation. Contract:
 * - it answers with plans and never changes a message; the caller puts `applyPlan`'s (or `BeforeRequest.messages`) in the transcript's place at once;
 * - nothing rejects: failures and aborts are values; after either, everything is as it was;
 * - the messages given are the transcript as it stands, in order; those before the last boundary are not looked at;
 * - one compaction runs at a time: a second call meanwhile is answered `nothing-to-do`;
 * - two compactors share nothing.
 */
export interface Compactor {
  /** Before every request of the conversation. */
  beforeRequest(messages: readonly Message[], context: CompactionContext): Promise<BeforeRequest>;
  /** After a request has succeeded; its response stands last. */
  afterResponse(messages: readonly Message[], context: CompactionContext): void;
  /** When the main request was refused as too long or for its media; `nothing-to-do` when that was tried already since the last response (RC2). */
  onTooLong(messages: readonly Message[], error: CallError, context: CompactionContext): Promise<CompactionOutcome>;
  /** A person asks for it. Notes serve where no focus is given; breaker, threshold and blocking limit do not matter. */
  compact(messages: readonly Message[], focus: string, context: CompactionContext): Promise<CompactionOutcome>;
  /** Blocks that every request of this conversation carries now, forks too (MC3). */
  pins(): readonly CacheEditPin[];
  /** The notes as they are, null before the first. */
  notes(): string | null;
  /** Plain data, fit for JSON. */
  state(): CompactorState;
  /** Goes on from what `state` gave, maybe in another process. Background work of before is forgotten. */
  restore(state: CompactorState): void;
}

export function createCompactor(config: CompactionConfig, ports: CompactorPorts): Compactor {
  let conversation = startConversation(config, ports, newCompactorState);

  async function alone(work: () => Promise<CompactionOutcome>): Promise<CompactionOutcome> {
    const owner = conversation;
    if (owner.busy) return { kind: "nothing-to-do", reason: "already-compacting" };
    owner.busy = true;
    try {
      return await work();
    } finally {
      owner.busy = false;
    }
  }

  return {
    beforeRequest: (messages, context) => beforeRequest(conversation, messages, context),
    afterResponse: (messages, context) => afterResponse(conversation, messages, context),
    onTooLong: (messages, error, context) => alone(() => onTooLong(conversation, messages, error, context)),
    compact: (messages, focus, context) =>
      alone(async () => {
        if (!config.auto.compactEnabled) return { kind: "nothing-to-do", reason: "disabled" };
        const { outcome, progress } = await runCompaction(conversation, {
          messages,
          context,
          trigger: "manual",
          focus,
        });
        if (progress === true) closeBreaker(conversation, "manual");
        return outcome;
      }),
    pins: () => travellingPins(conversation),
    notes: () => conversation.memory.notes(),
    state: () => ({
      version: 1,
      ...conversation.remembered,
      memory: conversation.memory.state(),
      edits: conversation.edits.state(),
    }),
    restore(state) {
      conversation = startConversation(config, ports, state);
    },
  };
}
