import type { Message } from "../../transcript/index.ts";
import { closeBreaker } from "../adopt.ts";
import type { CompactionContext } from "../context.ts";
import type { Conversation } from "../conversation.ts";
import type { AutoCompactBlocker } from "../events.ts";
import type { CompactionOutcome } from "../plan.ts";
import { runCompaction } from "../run-compaction.ts";
import { autoCompactThreshold } from "../thresholds.ts";
import type { Breaker } from "./breaker.ts";
import { breakerAfterAbort, breakerAfterFailure, breakerAt } from "./breaker.ts";
import { irreducibleTokens } from "./irreducible.ts";
import { shouldAutoCompact } from "./should-auto-compact.ts";

type Decision = "compact" | "below" | AutoCompactBlocker;

/** Compacts when it is due and nothing stands in the way (AC7), and keeps the breaker's books. Null where nothing was tried. */
export async function autoCompactIfNeeded(
  conversation: Conversation,
  messages: readonly Message[],
  tokens: number,
  context: CompactionContext,
): Promise<CompactionOutcome | null> {
  const { config, ports } = conversation;
  if (conversation.busy) return null;
  const threshold = autoCompactThreshold(context.model, config);
  const decision = decide(conversation, messages, tokens, threshold, context);
  ports.emit({ kind: "autocompact_check", tokens, threshold, decision });
  if (decision === "irreducible") tellIrreducible(conversation, threshold);
  if (decision !== "compact") return null;
  const { breaker } = conversation.remembered;
  conversation.busy = true;
  const { outcome, progress } = await runCompaction(conversation, {
    messages,
    context,
    trigger: "auto",
    focus: "",
  }).finally(() => {
    conversation.busy = false;
  });
  switch (outcome.kind) {
    case "compacted":
      // Open, it had let nobody through: where there is one to close, this was the half-open one's try.
      if (progress === true) closeBreaker(conversation, "half-open");
      else fail(conversation, breakerAfterFailure(breaker, context.round, config.auto.breaker), "no_progress");
      break;
    case "failed":
      fail(conversation, breakerAfterFailure(breaker, context.round, config.auto.breaker), outcome.reason);
      break;
    case "aborted":
      fail(conversation, breakerAfterAbort(breaker, context.round, config.auto.breaker), "aborted");
      break;
    // Stryker disable next-line all: nothing is what is to be done.
    case "nothing-to-do":
      break;
  }
  return outcome;
}

function decide(
  { config, ports, remembered }: Conversation,
  messages: readonly Message[],
  tokens: number,
  threshold: number,
  context: CompactionContext,
): Decision {
  if (!config.auto.compactEnabled) return "disabled";
  if (breakerAt(remembered.breaker, context.round, config.auto.breaker) === "open") return "breaker-open";
  const decision = shouldAutoCompact(context.querySource, config.auto, threshold, () => tokens);
  if (decision !== "compact") return decision;
  const { thrashGuard } = config.auto;
  const least = irreducibleTokens(messages, context.overheadTokens, config, ports.estimator, context.pending ?? null);
  return thrashGuard !== null && least >= threshold ? "irreducible" : "compact";
}

function fail(conversation: Conversation, breaker: Breaker, reason: string): void {
  const before = conversation.remembered.breaker;
  conversation.remembered = { ...conversation.remembered, breaker };
  if (breaker.openedAtRound !== null && breaker !== before) {
    conversation.ports.emit({ kind: "breaker_opened", failures: breaker.failures, lastReason: reason });
  }
}

function tellIrreducible(conversation: Conversation, threshold: number): void {
  if (conversation.remembered.toldIrreducible) return;
  conversation.remembered = { ...conversation.remembered, toldIrreducible: true };
  conversation.ports.emit({
    kind: "notice",
    code: "irreducible",
    text: `System prompt, tools and the newest message alone reach the auto-compact line of ${threshold} tokens: compaction cannot help. Use fewer tools, a shorter message or a larger window.`,
  });
}
