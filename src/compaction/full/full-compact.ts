import type { Message, UserMessage } from "../../transcript/index.ts";
import { messagesAfterLastBoundary } from "../../transcript/index.ts";
import type { CompactionConfig } from "../config.ts";
import type { CompactorPorts } from "../context.ts";
import { clearResults } from "../micro/clear-results.ts";
import type { CompactionCost, CompactionOutcome, CompactionPlan } from "../plan.ts";
import { noCost } from "../plan.ts";
import { buildAttachments } from "./attachments.ts";
import { joinInstructions } from "./custom-instructions.ts";
import type { FullCompactInput } from "./full-compact-input.ts";
import { runHook } from "./hooks.ts";
import { summaryPrompt } from "./prompt.ts";
import { estimateRequest } from "./request-size.ts";
import { assembleResult } from "./result.ts";
import type { ResolvedScope } from "./scope.ts";
import { isWorthSummarising, openingOf, resolveScope } from "./scope.ts";
import { summarise } from "./summarise.ts";
import { summaryMessage } from "./summary-message.ts";
import { summaryTask } from "./summary-task.ts";

/**
 * Layer 3 (FC): has a model summarise the conversation and plans what would take its place. Changes nothing: whoever gets the plan
 * adopts it (`commitCompaction`) or throws it away, so a failure or an abort leaves everything as it was (FC11, FC12). Never rejects:
 * a port that breaks its contract is a failure. Emits `compact_started`, and then `compact_failed` or `compact_aborted` where it
 * ends so; `compact_succeeded` belongs to the commit.
 */
export async function fullCompact(
  input: FullCompactInput,
  config: CompactionConfig,
  ports: CompactorPorts,
): Promise<CompactionOutcome> {
  const { context, trigger } = input;
  const { clock, emit } = ports;
  const scope = resolveScope(input.messages, input.scope ?? { kind: "full" }, emit);
  if (!isWorthSummarising(scope)) return { kind: "nothing-to-do", reason: "nothing_to_summarise" };
  const startedAt = clock.now();
  const tokensBefore = estimateRequest(
    [...liveAsCounted(input, config), ...(context.pending ? [context.pending] : [])],
    context.overheadTokens,
    ports.estimator,
  );
  emit({ kind: "compact_started", trigger, layer: "full", tokensBefore });
  const ended = await planWithin(scope, input, config, ports);
  switch (ended.kind) {
    case "planned":
      return { kind: "compacted", plan: ended.plan, cost: ended.cost };
    case "aborted":
      emit({ kind: "compact_aborted", trigger, layer: "full" });
      return { kind: "aborted" };
    case "failed": {
      const { reason, cost } = ended;
      const { attempts } = cost;
      if (reason === "prompt_too_long") emit({ kind: "notice", code: "prompt_too_long", text: TOO_LONG_ADVICE });
      emit({ kind: "compact_failed", trigger, layer: "full", reason, attempts, durationMs: clock.now() - startedAt });
      return { kind: "failed", reason, attempts };
    }
  }
}

type Ended =
  | { readonly kind: "planned"; readonly plan: CompactionPlan; readonly cost: CompactionCost }
  | { readonly kind: "failed"; readonly reason: string; readonly cost: CompactionCost }
  | { readonly kind: "aborted" };

const ABORTED: Ended = { kind: "aborted" };

async function planWithin(...steps: Parameters<typeof planSteps>): Promise<Ended> {
  try {
    return await planSteps(...steps);
  } catch (error) {
    return { kind: "failed", reason: `error: ${error instanceof Error ? error.message : String(error)}`, cost: noCost };
  }
}

/** FC1, up to the commit. The user's abort is looked at after every wait (FC11). */
async function planSteps(
  scope: ResolvedScope,
  input: FullCompactInput,
  config: CompactionConfig,
  ports: CompactorPorts,
): Promise<Ended> {
  const { clock, emit, hooks } = ports;
  const { signal } = input.context;
  const hookRun = { clock, emit, limitMs: config.full.hookTimeoutMs, ...(signal === undefined ? {} : { signal }) };

  const preCompact = hooks?.preCompact && (async () => hooks.preCompact?.(input.trigger));
  const fromHooks = await runHook("PreCompact", preCompact, hookRun);
  if (signal?.aborted) return ABORTED;

  const task = summaryTask(input, scope, promptFor(scope, input, fromHooks, ports), config, ports);
  if (task === null) return { kind: "failed", reason: "prompt_too_long", cost: noCost };
  const outcome = await summarise(task, config.full, ports);
  if (outcome.kind !== "summary") return outcome;

  const kept = input.messages.slice(scope.keep.from, scope.keep.to);
  const attachments = await buildAttachments(kept, config.full, config.micro.marker, ports, signal);
  if (signal?.aborted) return ABORTED;
  const sessionStart = hooks?.sessionStart && (async () => hooks.sessionStart?.());
  const hookOutput = await runHook("SessionStart", sessionStart, hookRun);
  if (signal?.aborted) return ABORTED;

  const { summary, mediaRefused, cost } = outcome;
  const message = messageFor(summary, kept.length > 0, scope, input, ports);
  const plan = await assembleResult(
    {
      layer: "full",
      trigger: input.trigger,
      messages: input.messages,
      counted: liveAsCounted(input, config),
      keep: scope.keep,
      keptStand: scope.keptStand,
      summary,
      summaryMessage: message,
      attachments,
      hookOutput,
      mediaRefused,
      pending: input.context.pending ?? null,
      overheadTokens: input.context.overheadTokens,
    },
    config.full,
    ports,
  );
  if (signal?.aborted) return ABORTED;
  const isInflated = config.auto.thrashGuard !== null && plan.tokensAfter >= plan.tokensBefore;
  return isInflated ? { kind: "failed", reason: "inflated", cost } : { kind: "planned", plan, cost };
}

function messageFor(
  summary: string,
  keepsSome: boolean,
  scope: ResolvedScope,
  { trigger, context }: FullCompactInput,
  { ids, clock, transcriptPath }: CompactorPorts,
): UserMessage {
  return summaryMessage(summary, {
    uuid: ids.uuid(),
    timestamp: clock.now(),
    kept: !keepsSome ? "none" : scope.keptStand === "before-summary" ? "before" : "after",
    manual: trigger === "manual",
    autonomous: context.autonomous,
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
  });
}

/** The live part as it weighs on the server: results that the pinned cache edits have deleted weigh their marker (MC3). */
function liveAsCounted({ messages, deletedResults }: FullCompactInput, config: CompactionConfig): readonly Message[] {
  return clearResults(messagesAfterLastBoundary(messages), new Set(deletedResults), config.micro.marker);
}

const TOO_LONG_ADVICE =
  "Conversation too long: even its newest part does not fit the summarising request. Go back to an earlier message, or start a new session and give it what it needs.";

function promptFor(
  scope: ResolvedScope,
  input: FullCompactInput,
  preCompact: string | null,
  ports: CompactorPorts,
): string {
  const instructions = joinInstructions({
    manual: input.instructions ?? null,
    hooks: preCompact,
    memoryFile: ports.memoryFile?.() ?? null,
  });
  return summaryPrompt(scope.kind, instructions, scope.kind === "partial-from" ? openingOf(scope) : null);
}
