import type { Message } from "../transcript/index.ts";
import { autoCompactIfNeeded } from "./auto/auto-compact.ts";
import { bookClearing, bookFreed } from "./auto/freed-since-count.ts";
import type { CompactionContext } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import { sizeOf, travellingPins } from "./conversation.ts";
import type { CacheEditPin } from "./micro/cached-edits.ts";
import type { MicroPlan } from "./micro/microcompact.ts";
import { applyMicroPlan, planMicrocompact } from "./micro/microcompact.ts";
import type { CompactionOutcome } from "./plan.ts";
import { applyPlan } from "./plan.ts";
import { takeNotes } from "./take-notes.ts";
import type { TokenWarningState } from "./thresholds.ts";
import { blockingLimit, mustBlock, tokenWarningState } from "./thresholds.ts";

/** What is to be done with the next request. */
export type BeforeRequest = {
  /** Layer 1, over the messages given. */
  readonly micro: MicroPlan;
  /** Layers 2 to 4, over the messages after `micro`, whose indices are the same; null where nothing was tried. */
  readonly outcome: CompactionOutcome | null;
  /** The transcript after both; the same array when nothing changed. */
  readonly messages: readonly Message[];
  /** Blocks that travel with this request at their messages, the newest last (MC3). */
  readonly pins: readonly CacheEditPin[];
  /** Size of the request, in tokens. */
  readonly tokens: number;
  readonly warning: TokenWarningState;
} & (
  | { readonly kind: "send" }
  /** At the blocking limit: no request; `text` says what to do (AC3). */
  | { readonly kind: "blocked"; readonly limit: number; readonly text: string }
);

/** Microcompact, then auto-compact, then the blocking check: RC1's order. Never rejects. */
export async function beforeRequest(
  conversation: Conversation,
  given: readonly Message[],
  context: CompactionContext,
): Promise<BeforeRequest> {
  const { memory, config, ports } = conversation;
  memory.adopt(given);
  bookSnip(conversation, given, context);
  const micro = microcompact(conversation, given, context);
  let messages = applyMicroPlan(given, micro);
  let { tokens } = sizeOf(conversation, messages, context);
  takeNotes(conversation, messages, tokens, context);
  const outcome = await autoCompactIfNeeded(conversation, messages, tokens, context);
  if (outcome?.kind === "compacted") {
    messages = applyPlan(messages, outcome.plan);
    tokens = sizeOf(conversation, messages, context).tokens;
  }
  const { model, querySource } = context;
  const { justCompacted } = conversation.remembered;
  const warning = tokenWarningState(tokens, model, config, justCompacted);
  const answer = { micro, outcome, messages, pins: travellingPins(conversation), tokens, warning };
  if (!mustBlock(tokens, model, config, querySource, justCompacted)) return { kind: "send", ...answer };
  const limit = blockingLimit(model, config);
  ports.emit({ kind: "blocked", tokens, limit });
  const text = `The conversation has about ${tokens} tokens, and from ${limit} on no request is sent. Compact it by hand, or start a new one.`;
  return { kind: "blocked", limit, text, ...answer };
}

/** What a snip took out since the last look comes off the newest usage, which still counts it (AC5). */
function bookSnip(conversation: Conversation, messages: readonly Message[], context: CompactionContext): void {
  const tokens = conversation.ports.takeSnippedTokens?.() ?? 0;
  // Stryker disable next-line EqualityOperator: to book nothing changes no count.
  if (!(tokens > 0 && Number.isFinite(tokens))) return;
  const { count } = sizeOf(conversation, messages, context);
  const freed = bookFreed(count, conversation.remembered.freed, tokens);
  conversation.remembered = { ...conversation.remembered, freed };
}

function microcompact(conversation: Conversation, messages: readonly Message[], context: CompactionContext): MicroPlan {
  const { config, ports, edits } = conversation;
  if (!config.auto.compactEnabled) return { kind: "none" };
  const plan = planMicrocompact(
    {
      messages,
      nowMs: ports.clock.now(),
      source: context.querySource,
      model: context.model,
      cachedModelId: conversation.remembered.cachedModelId,
    },
    edits,
    config.micro,
    ports.estimator,
  );
  switch (plan.kind) {
    // Stryker disable next-line all: nothing is what is to be done.
    case "none":
      break;
    case "clear": {
      const { toolUseIds, tokensFreed } = plan.clearing;
      ports.emit({ kind: "microcompact", path: plan.path, cleared: toolUseIds, tokensFreed });
      const { count } = sizeOf(conversation, applyMicroPlan(messages, plan), context);
      const freed = bookClearing(count, conversation.remembered.freed, plan.clearing);
      conversation.remembered = { ...conversation.remembered, freed, cachedModelId: null };
      break;
    }
    case "cache-edit": {
      const { toolUseIds } = plan.pin;
      if (plan.isNew)
        ports.emit({ kind: "microcompact", path: "cached", cleared: toolUseIds, tokensFreed: plan.tokensFreed });
      break;
    }
  }
  return plan;
}
