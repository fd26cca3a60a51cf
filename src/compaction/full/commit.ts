import type { CompactorPorts } from "../context.ts";
import type { CompactionCost, CompactionPlan } from "../plan.ts";
import { runHook } from "./hooks.ts";

/** Where a compaction stands to the last one of this conversation (AC7); all null at the first. */
export interface Recompaction {
  readonly turnsSinceLast: number | null;
  /** Within one turn: no person has spoken in between, so what was compacted is what the loop itself has added. */
  readonly sameChain: boolean | null;
  readonly lastBoundaryUuid: string | null;
}

/** What the compactor knows of a compaction beside its plan, for the telemetry. */
export interface CommitFacts {
  readonly cost: CompactionCost;
  readonly startedAtMs: number;
  /** The auto-compact line, in tokens; null where there is none. */
  readonly threshold: number | null;
  /** How it follows on the compaction before it (AC7). */
  readonly recompaction: Recompaction;
  readonly hookTimeoutMs: number;
}

/**
 * Adopts a plan (FC1): the read-file cache is emptied and refilled with what was re-attached, and what the compaction made stale is
 * forgotten, before the first wait; then telemetry, then the PostCompact hooks. The transcript is the caller's to replace, and so
 * is the cached path's state. Call it for a plan that is adopted, and only then. Never rejects.
 */
export async function commitCompaction(plan: CompactionPlan, facts: CommitFacts, ports: CompactorPorts): Promise<void> {
  const { clock, emit, hooks, readFiles } = ports;
  readFiles?.reset(plan.reattached);
  ports.forgetCaches?.();
  if (plan.layer !== "drop")
    emit({
      kind: "compact_succeeded",
      trigger: plan.trigger,
      layer: plan.layer,
      tokensBefore: plan.tokensBefore,
      tokensAfter: plan.tokensAfter,
      messagesSummarized: plan.boundary.messagesSummarized,
      messagesKept: plan.boundary.keptUuids.length,
      ...facts.cost,
      durationMs: clock.now() - facts.startedAtMs,
      willRetriggerNextTurn: facts.threshold !== null && plan.tokensAfter >= facts.threshold,
      ...facts.recompaction,
    });
  await runHook("PostCompact", hooks?.postCompact && (async () => hooks.postCompact?.(plan.summary)), {
    clock,
    emit,
    limitMs: facts.hookTimeoutMs,
  });
}
