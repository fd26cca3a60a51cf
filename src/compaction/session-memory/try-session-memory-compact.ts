import type { AttachmentMessage, Message } from "../../transcript/index.ts";
import { lastBoundaryIndex } from "../../transcript/index.ts";
import type { CompactionConfig, KeepLimits } from "../config.ts";
import type { CompactionContext, CompactorPorts } from "../context.ts";
import type { Trigger } from "../events.ts";
import { buildAttachments } from "../full/attachments.ts";
import { runHook } from "../full/hooks.ts";
import { assembleResult } from "../full/result.ts";
import { pathsShownIn } from "../full/shown-files.ts";
import { summaryMessage } from "../full/summary-message.ts";
import { clearResults } from "../micro/clear-results.ts";
import type { CompactionPlan } from "../plan.ts";
import { explainAdjustment } from "./invariant-index.ts";
import { unadjustedKeepIndex } from "./keep-index.ts";
import { limitNotes } from "./limit-notes.ts";
import { isBlankNotes } from "./notes-template.ts";
import type { SessionMemory } from "./session-memory.ts";
import { liveIndexOf } from "./session-memory.ts";

export type SessionMemoryOutcome =
  | { readonly kind: "compacted"; readonly plan: CompactionPlan }
  /** Full compaction takes over. Never counted by the breaker (SM7). */
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "aborted" };

export interface SessionMemoryInput {
  readonly messages: readonly Message[];
  readonly context: CompactionContext;
  readonly trigger: Trigger;
  /** At or above it the result would be compacted again at once. */
  readonly threshold: number;
  readonly keep: KeepLimits;
  /** Results that the pinned cache edits have deleted on the server: they weigh nothing there (MC3). */
  readonly deletedResults?: readonly string[];
}

/**
 * Layer 4 (SM5): the notes as the summary, and a recent tail word for word. Makes no model call and changes nothing: the plan is adopted by the
 * caller. Whatever is in the way is a reason to skip; it never rejects.
 */
export async function trySessionMemoryCompact(
  input: SessionMemoryInput,
  memory: SessionMemory,
  config: CompactionConfig,
  ports: CompactorPorts,
): Promise<SessionMemoryOutcome> {
  if (!config.sessionMemory.enabled) return { kind: "skipped", reason: "disabled" };
  try {
    return await compact(input, memory, config, ports);
  } catch (error) {
    return { kind: "skipped", reason: `error: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function compact(
  // Stryker disable next-line ArrayDeclaration: what is no result's id clears nothing.
  { messages, context, trigger, threshold, keep, deletedResults = [] }: SessionMemoryInput,
  memory: SessionMemory,
  config: CompactionConfig,
  ports: CompactorPorts,
): Promise<SessionMemoryOutcome> {
  const { signal } = context;
  const { clock, emit, estimator, ids } = ports;
  await memory.wait(signal);
  if (signal?.aborted) return { kind: "aborted" };
  memory.adopt(messages);
  const notes = memory.notes();
  if (notes === null || notes.trim() === "") return { kind: "skipped", reason: "no-notes" };
  if (isBlankNotes(notes)) return { kind: "skipped", reason: "blank-notes" };
  const covered = coveredIndex(messages, memory.lastSummarizedUuid(), config.sessionMemory.resumedWithoutId);
  if (typeof covered === "string") return { kind: "skipped", reason: covered };

  const wished = unadjustedKeepIndex(messages, covered, keep, estimator);
  const { index, why } = explainAdjustment(messages, wished);
  if (why !== null) emit({ kind: "index_adjusted", from: wished, to: index, why });
  if (index <= lastBoundaryIndex(messages) + 1) return { kind: "skipped", reason: "nothing-to-summarise" };

  const kept = messages.slice(index);
  const live = messages.slice(lastBoundaryIndex(messages) + 1);
  // Stryker disable next-line ConditionalExpression: a shortcut; clearing nothing gives the same array.
  const counted = deletedResults.length === 0 ? live : clearResults(live, new Set(deletedResults), config.micro.marker);
  const summary = limitNotes(notes, config.sessionMemory, estimator, ports.notes?.path ?? null);
  const assemble = async (hookOutput: string | null): Promise<CompactionPlan> =>
    assembleResult(
      {
        layer: "session-memory",
        trigger,
        messages,
        counted,
        keep: { from: index, to: messages.length },
        keptStand: "after-summary",
        summary,
        summaryMessage: summaryMessage(summary, {
          uuid: ids.uuid(),
          timestamp: clock.now(),
          // Stryker disable next-line StringLiteral: whatever is neither after nor before is none.
          kept: kept.length === 0 ? "none" : "after",
          manual: trigger === "manual",
          autonomous: context.autonomous,
          transcriptPath: ports.transcriptPath,
        }),
        attachments: {
          messages: await planAttachment(kept, config, ports),
          reattached: [...pathsShownIn(kept, config.micro.marker)],
        },
        hookOutput,
        mediaRefused: false,
        pending: context.pending ?? null,
        overheadTokens: context.overheadTokens,
      },
      config.full,
      ports,
    );
  const plan = await assemble(null);
  if (signal?.aborted) return { kind: "aborted" };
  if (plan.tokensAfter >= threshold) return { kind: "skipped", reason: "result-too-large" };
  if (config.auto.thrashGuard !== null && plan.tokensAfter >= plan.tokensBefore) {
    return { kind: "skipped", reason: "inflated" };
  }
  const { hooks } = ports;
  if (hooks?.sessionStart === undefined) return { kind: "compacted", plan };
  const limitMs = config.full.hookTimeoutMs;
  const hookRun = { clock, emit, limitMs, signal };
  // Stryker disable next-line OptionalChaining: it is there, as was asked above.
  const output = await runHook("SessionStart", async () => hooks.sessionStart?.(), hookRun);
  const final = output === null ? plan : await assemble(output);
  return signal?.aborted ? { kind: "aborted" } : { kind: "compacted", plan: final };
}

/** Index of the last message that the notes cover, or why it is not known. */
function coveredIndex(
  messages: readonly Message[],
  lastSummarizedUuid: string | null,
  resumedWithoutId: "fall-back" | "last-message",
): number | string {
  // Stryker disable next-line ArithmeticOperator: the kept part never begins behind the end.
  if (lastSummarizedUuid === null) return resumedWithoutId === "last-message" ? messages.length - 1 : "no-last-id";
  const index = liveIndexOf(messages, lastSummarizedUuid);
  return index < 0 ? "last-id-not-live" : index;
}

/** Of all that is shown again after a compaction, the plan alone: the kept tail has the rest. */
async function planAttachment(
  kept: readonly Message[],
  config: CompactionConfig,
  { announce, clock, ids }: CompactorPorts,
): Promise<readonly AttachmentMessage[]> {
  if (announce === undefined) return [];
  const planOnly = {
    plan: () => announce.plan(),
    // Stryker disable ArrowFunction: nothing said is nothing said, in whatever form.
    skills: () => [],
    runningAgents: () => null,
    deferredTools: () => null,
    agents: () => null,
    mcpInstructions: () => null,
    // Stryker restore ArrowFunction
  };
  const { messages } = await buildAttachments(kept, config.full, config.micro.marker, {
    clock,
    ids,
    announce: planOnly,
  });
  return messages;
}
