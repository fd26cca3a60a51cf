import type { Message } from "../transcript/index.ts";
import { adopt, closeBreaker } from "./adopt.ts";
import type { CompactionContext } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import { deletedResults } from "./conversation.ts";
import { planDrop } from "./drop-rounds.ts";
import type { CompactionOutcome } from "./plan.ts";
import { noCost } from "./plan.ts";
import type { CallError } from "./ports.ts";
import { runCompaction } from "./run-compaction.ts";
import { isAutoCompactEnabled } from "./thresholds.ts";

/**
 * The main request was refused as too long, or for its media (RC2, step 2): a full compaction whose own request is cut by the gap first; where that
 * fails, the oldest rounds are dropped, which is lossy and says so. Once until a response succeeds. The breaker does not stop it, and its failure is not counted.
 */
export async function onTooLong(
  conversation: Conversation,
  messages: readonly Message[],
  error: CallError,
  context: CompactionContext,
): Promise<CompactionOutcome> {
  const { config } = conversation;
  if (!isAutoCompactEnabled(config)) return { kind: "nothing-to-do", reason: "disabled" };
  if (conversation.remembered.triedReactive) return { kind: "nothing-to-do", reason: "already-tried" };
  conversation.remembered = { ...conversation.remembered, triedReactive: true };
  const run = { messages, context, trigger: "reactive" as const, focus: "", refused: error };
  const { outcome, progress } = await runCompaction(conversation, run);
  if (progress === true) closeBreaker(conversation, "auto");
  if (outcome.kind === "compacted" || outcome.kind === "aborted" || error.class === "media") return outcome;
  return (await drop(conversation, messages, error, context)) ?? outcome;
}

async function drop(
  conversation: Conversation,
  messages: readonly Message[],
  error: CallError,
  context: CompactionContext,
): Promise<CompactionOutcome | null> {
  const { config, ports } = conversation;
  const startedAtMs = ports.clock.now();
  const deleted = new Set(deletedResults(conversation));
  const dropped = await planDrop(messages, error, context, deleted, config, ports);
  if (context.signal?.aborted) return { kind: "aborted" };
  if (dropped === null) return null;
  const { plan, droppedMessages, droppedTokens } = dropped;
  if ((await adopt(conversation, messages, plan, { cost: noCost, startedAtMs, context })) === "inflated") return null;
  ports.emit({ kind: "rounds_dropped", messages: droppedMessages, tokens: droppedTokens, why: error.text });
  return { kind: "compacted", plan, cost: noCost };
}
