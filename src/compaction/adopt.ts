import type { Message } from "../transcript/index.ts";
import { closedBreaker } from "./auto/breaker.ts";
import { judgeResult } from "./auto/thrash-guard.ts";
import type { CompactorState } from "./compactor-state.ts";
import type { CompactionContext } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import type { Recompaction } from "./full/commit.ts";
import { commitCompaction } from "./full/commit.ts";
import type { CompactionCost, CompactionPlan } from "./plan.ts";
import { applyPlan } from "./plan.ts";
import { autoCompactThreshold } from "./thresholds.ts";

/**
 * Adopts a plan, or discards it as `inflated` (AC8): the commit with its telemetry (FC1), then everything that the compaction made stale (PC).
 * `no-progress`: adopted, but no reason to be glad.
 */
export async function adopt(
  conversation: Conversation,
  messages: readonly Message[],
  plan: CompactionPlan,
  run: { readonly cost: CompactionCost; readonly startedAtMs: number; readonly context: CompactionContext },
): Promise<"progress" | "no-progress" | "inflated"> {
  const { config, ports, edits, memory } = conversation;
  const { context } = run;
  const threshold = autoCompactThreshold(context.model, config);
  const { marks, lastCompaction } = conversation.remembered;
  const { tokensBefore, tokensAfter } = plan;
  const judgement = judgeResult(
    { tokensBefore, tokensAfter, threshold, round: context.round },
    marks,
    config.auto.thrashGuard,
  );
  if (judgement.kind === "discard") return "inflated";
  edits.reset();
  memory.cover(coveredAfter(plan, applyPlan(messages, plan), memory.lastSummarizedUuid()));
  conversation.remembered = {
    ...conversation.remembered,
    marks: judgement.marks,
    cachedModelId: null,
    lastCompaction: { boundaryUuid: plan.boundary.uuid, turn: context.turn },
    freed: null,
    justCompacted: true,
    toldIrreducible: false,
  };
  const { forgetCaches: _, ...aside } = ports;
  await commitCompaction(
    plan,
    {
      cost: run.cost,
      startedAtMs: run.startedAtMs,
      threshold,
      recompaction: recompactionOf(lastCompaction, context.turn),
      hookTimeoutMs: config.full.hookTimeoutMs,
    },
    // The caches are the main thread's (PC1).
    context.querySource === "main" ? ports : aside,
  );
  return judgement.progress ? "progress" : "no-progress";
}

function recompactionOf(last: CompactorState["lastCompaction"], turn: number): Recompaction {
  if (last === null) return { turnsSinceLast: null, sameChain: null, lastBoundaryUuid: null };
  return { turnsSinceLast: turn - last.turn, sameChain: turn === last.turn, lastBoundaryUuid: last.boundaryUuid };
}

/** PC2: after a summary nobody knows what the notes cover; after session memory they cover what they did, or all up to the summary that they became. */
function coveredAfter(plan: CompactionPlan, result: readonly Message[], covered: string | null): string | null {
  const still = result.some(({ uuid }) => uuid === covered) ? covered : null;
  switch (plan.layer) {
    case "full":
      return null;
    case "session-memory":
      return still ?? (plan.head[1] as Message).uuid;
    case "drop":
      return still;
  }
}

/** A success closes the breaker, whoever asked for it (AC6). */
export function closeBreaker(conversation: Conversation, by: "manual" | "auto" | "half-open"): void {
  const wasOpen = conversation.remembered.breaker.openedAtRound !== null;
  conversation.remembered = { ...conversation.remembered, breaker: closedBreaker };
  if (wasOpen) conversation.ports.emit({ kind: "breaker_closed", by });
}
