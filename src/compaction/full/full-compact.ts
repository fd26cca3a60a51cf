import { messagesAfterLastBoundary } from "../../transcript/index.ts";
import type { CompactionConfig } from "../config.ts";
import type { CompactorPorts } from "../context.ts";
import type { CompactionCost, CompactionOutcome } from "../plan.ts";
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
 * adopts it (`commitCompaction`) or throws it away, so a failure or an abort leaves everything as it was (FC11, FC12). Never rejects.
 * Emits `compact_started`, then on failure `compact_failed` and on the user's abort `compact_aborted`.
 */
export async function fullCompact(
  input: FullCompactInput,
  config: CompactionConfig,
  ports: CompactorPorts,
): Promise<CompactionOutcome> {
  const { context, trigger } = input;
  const { clock, emit } = ports;
  const { signal } = context;
  const scope = resolveScope(input.messages, input.scope ?? { kind: "full" }, emit);
  if (!isWorthSummarising(scope)) return { kind: "nothing-to-do", reason: "nothing_to_summarise" };

  const startedAt = clock.now();
  const tokensBefore = estimateRequest(
    messagesAfterLastBoundary(input.messages),
    context.overheadTokens,
    ports.estimator,
  );
  emit({ kind: "compact_started", trigger, layer: "full", tokensBefore });
  const failed = (reason: string, { attempts }: CompactionCost): CompactionOutcome => {
    if (reason === "prompt_too_long") emit({ kind: "notice", code: "prompt_too_long", text: TOO_LONG_ADVICE });
    emit({ kind: "compact_failed", trigger, layer: "full", reason, attempts, durationMs: clock.now() - startedAt });
    return { kind: "failed", reason, attempts };
  };
  const aborted = (): CompactionOutcome => {
    emit({ kind: "compact_aborted", trigger, layer: "full" });
    return { kind: "aborted" };
  };
  const hookRun = { clock, emit, limitMs: config.full.hookTimeoutMs, ...(signal === undefined ? {} : { signal }) };

  const preCompact = await runHook(
    "PreCompact",
    ports.hooks?.preCompact && (async () => ports.hooks?.preCompact?.(trigger)),
    hookRun,
  );
  if (signal?.aborted) return aborted();
  const instruct = promptFor(scope, input, preCompact, ports);
  const task = summaryTask(input, scope, instruct, config, ports);
  if (task === null) return failed("prompt_too_long", noCost);
  const outcome = await summarise(task, config.full, ports);
  if (outcome.kind === "aborted" || signal?.aborted) return aborted();
  if (outcome.kind === "failed") return failed(outcome.reason, outcome.cost);

  const kept = input.messages.slice(scope.keep.from, scope.keep.to);
  const attachments = await buildAttachments(kept, config.full, config.micro.marker, ports, signal);
  if (signal?.aborted) return aborted();
  const hookOutput = await runHook(
    "SessionStart",
    ports.hooks?.sessionStart && (async () => ports.hooks?.sessionStart?.()),
    hookRun,
  );
  if (signal?.aborted) return aborted();
  const plan = await assembleResult(
    {
      layer: "full",
      trigger,
      messages: input.messages,
      keep: scope.keep,
      keptStand: scope.keptStand,
      summary: outcome.summary,
      summaryMessage: summaryMessage(outcome.summary, {
        uuid: ports.ids.uuid(),
        timestamp: clock.now(),
        kept: kept.length === 0 ? "none" : scope.keptStand === "before-summary" ? "before" : "after",
        manual: trigger === "manual",
        autonomous: context.autonomous,
        ...(ports.transcriptPath === undefined ? {} : { transcriptPath: ports.transcriptPath }),
      }),
      attachments,
      hookOutput,
      mediaRefused: outcome.mediaRefused,
      pending: input.pending ?? null,
      overheadTokens: context.overheadTokens,
    },
    config.full,
    ports,
  );
  if (signal?.aborted) return aborted();
  if (config.auto.thrashGuard !== null && plan.tokensAfter >= plan.tokensBefore)
    return failed("inflated", outcome.cost);
  return { kind: "compacted", plan, cost: outcome.cost };
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
