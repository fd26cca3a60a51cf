import type { Message } from "../transcript/index.ts";
import { adopt } from "./adopt.ts";
import type { CompactionContext } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import { deletedResults } from "./conversation.ts";
import type { Trigger } from "./events.ts";
import { fullCompact } from "./full/full-compact.ts";
import type { CompactionOutcome } from "./plan.ts";
import { noCost } from "./plan.ts";
import type { CallError } from "./ports.ts";
import { trySessionMemoryCompact } from "./session-memory/try-session-memory-compact.ts";
import { autoCompactThreshold } from "./thresholds.ts";

export interface CompactionRun {
  readonly messages: readonly Message[];
  readonly context: CompactionContext;
  readonly trigger: Trigger;
  /** Words of the person who asked, "" for none. They ask for a summary: notes cannot follow them. */
  readonly focus: string;
  /** The refusal that a reactive compaction answers. */
  readonly refused?: CallError | undefined;
}

export interface CompactionEnd {
  readonly outcome: CompactionOutcome;
  /** Null unless something was adopted. */
  readonly progress: boolean | null;
}

/** Session memory where it can serve, else a full compaction (AC7), measured and adopted. Counts nothing: the breaker is the caller's. */
export async function runCompaction(conversation: Conversation, run: CompactionRun): Promise<CompactionEnd> {
  if (run.trigger !== "reactive" && run.focus.trim() === "") {
    const end = await runSessionMemory(conversation, run);
    if (end !== null) return end;
  }
  return runFull(conversation, run);
}

/** Null where full compaction has to take over. */
async function runSessionMemory(conversation: Conversation, run: CompactionRun): Promise<CompactionEnd | null> {
  const { config, ports, memory, keep } = conversation;
  const { messages, context, trigger } = run;
  const startedAtMs = ports.clock.now();
  const threshold = autoCompactThreshold(context.model, config);
  const tried = await trySessionMemoryCompact(
    { messages, context, trigger, threshold, keep, deletedResults: deletedResults(conversation) },
    memory,
    config,
    ports,
  );
  switch (tried.kind) {
    case "skipped":
      ports.emit({ kind: "sm_compact_skipped", reason: tried.reason });
      return null;
    case "aborted":
      ports.emit({ kind: "compact_aborted", trigger, layer: "session-memory" });
      return { outcome: { kind: "aborted" }, progress: null };
    case "compacted": {
      const { plan } = tried;
      ports.emit({ kind: "compact_started", trigger, layer: "session-memory", tokensBefore: plan.tokensBefore });
      const verdict = await adopt(conversation, messages, plan, { cost: noCost, startedAtMs, context });
      if (verdict === "inflated") {
        // What a hook adds is known only now.
        ports.emit({ kind: "sm_compact_skipped", reason: "inflated" });
        return null;
      }
      return { outcome: { kind: "compacted", plan, cost: noCost }, progress: verdict === "progress" };
    }
  }
}

async function runFull(conversation: Conversation, run: CompactionRun): Promise<CompactionEnd> {
  const { config, ports } = conversation;
  const { messages, context, trigger, focus, refused } = run;
  const startedAtMs = ports.clock.now();
  const outcome = await fullCompact(
    {
      messages,
      context,
      trigger,
      instructions: focus,
      refused,
      deletedResults: deletedResults(conversation),
    },
    config,
    ports,
  );
  if (outcome.kind !== "compacted") return { outcome, progress: null };
  const { plan, cost } = outcome;
  // An inflated one was a failure already (AC8), by the same figures.
  const verdict = await adopt(conversation, messages, plan, { cost, startedAtMs, context });
  return { outcome, progress: verdict === "progress" };
}
