import { roughTokenCount, roughTokenSum } from "../../tokens/index.ts";
import type { FullConfig } from "../config.ts";
import type { CompactorPorts } from "../context.ts";
import type { CompactionCost } from "../plan.ts";
import { noCost } from "../plan.ts";
import type { AskReply, CallError } from "../ports.ts";
import { judgeReply } from "./judge-reply.ts";
import type { History, SummaryPath } from "./summary-request.ts";
import { messagesAsCounted, messagesFor, messagesToTruncate, summaryRequest } from "./summary-request.ts";
import { tooLongFigures } from "./too-long.ts";
import type { Refusal, TooLongRequest } from "./truncate-head.ts";
import { truncateHeadForRetry } from "./truncate-head.ts";

export interface SummaryTask {
  readonly history: History;
  /** The compact prompt. */
  readonly instruct: string;
  readonly maxOutput: number;
  /** Estimate of system prompt and tools, in tokens. */
  readonly overheadTokens: number;
  /** The refusal that the head was already cut for, ahead of the first request (RC2): later ones are scaled by it. */
  readonly previous?: Refusal;
  /** The main request was refused for its media: `history` is prepared already. */
  readonly mediaRefused: boolean;
  readonly signal?: AbortSignal;
}

export type SummaryOutcome =
  | {
      readonly kind: "summary";
      readonly summary: string;
      readonly mediaRefused: boolean;
      readonly cost: CompactionCost;
    }
  | { readonly kind: "failed"; readonly reason: string; readonly cost: CompactionCost }
  | { readonly kind: "aborted"; readonly cost: CompactionCost };

/**
 * Asks for the summary until there is a usable one or the bounds are reached (FC3, PT): the fork once, then the direct path as often
 * as configured; over all, three retries with a cut head and one without media. Being too long changes the length, never the path.
 */
export async function summarise(
  task: SummaryTask,
  config: FullConfig,
  ports: Pick<CompactorPorts, "ask" | "clock" | "ids" | "emit">,
): Promise<SummaryOutcome> {
  const { emit } = ports;
  const paths: readonly SummaryPath[] = [
    ...(config.fork.enabled ? ["fork" as const] : []),
    ...Array.from({ length: config.direct.enabled ? config.direct.attempts : 0 }, () => "direct" as const),
  ];
  let { history, previous } = task;
  let mediaRefused = task.mediaRefused;
  let retries = 0;
  let cost = noCost;
  let reason = "no_path_enabled";

  for (let i = 0; i < paths.length; ) {
    const path = paths[i] as SummaryPath;
    if (task.signal?.aborted) return { kind: "aborted", cost };
    const sent = messagesAsCounted(path, history);
    const reply = await ports.ask(summaryRequest(path, history, task.instruct, task.maxOutput, task.signal));
    cost = costWith(cost, reply);
    const verdict = task.signal?.aborted ? ({ kind: "aborted" } as const) : judgeReply(reply);
    switch (verdict.kind) {
      case "aborted":
        return { kind: "aborted", cost };
      case "usable":
        return { kind: "summary", summary: verdict.summary, mediaRefused, cost };
      case "too-long": {
        const request = tooLongRequest(verdict.error, roughTokenSum(sent), task, previous);
        const cut =
          retries < config.tooLong.maxRetries
            ? truncateHeadForRetry(messagesToTruncate(history), request, config.tooLong, markerFor(ports))
            : null;
        if (cut === null) return { kind: "failed", reason: "prompt_too_long", cost };
        retries++;
        previous = refusalIn(request);
        history = { ...history, truncated: cut.messages };
        const { droppedMessages, droppedTokens, gap } = cut;
        emit({ kind: "compact_ptl_retry", attempt: retries, droppedMessages, droppedTokens, gap });
        continue;
      }
      case "media-refused": {
        const isFirst = !mediaRefused && path === "fork" && history.truncated === null;
        mediaRefused = true;
        const prepared = { ...history, prepared: true };
        if (isFirst && messagesFor(path, prepared) !== messagesFor(path, history)) {
          history = prepared;
          emit({ kind: "notice", code: "compact_media_stripped", text: MEDIA_STRIPPED });
          continue;
        }
        reason = "media";
        break;
      }
      case "unusable":
        reason = verdict.reason;
        break;
    }
    i++;
    if (i < paths.length) emit({ kind: "compact_fallback_streaming", reason, attempt: i });
  }
  return { kind: "failed", reason, cost };
}

const MEDIA_STRIPPED = "Images and documents were refused: the summary is made without them.";

function markerFor({ clock, ids }: Pick<CompactorPorts, "clock" | "ids">): { uuid: string; timestamp: number } {
  return { uuid: ids.uuid(), timestamp: clock.now() };
}

function tooLongRequest(
  error: CallError | "window-exceeded",
  sentTokens: number,
  task: SummaryTask,
  previous: Refusal | undefined,
): TooLongRequest {
  return {
    error,
    maxOutput: task.maxOutput,
    sentTokens,
    fixedTokens: task.overheadTokens + roughTokenCount(task.instruct),
    ...(previous === undefined ? {} : { previous }),
  };
}

/** What the next refusal is measured against; undefined where this one named no figures. */
export function refusalIn({ error, sentTokens, extraTokens = 0 }: TooLongRequest): Refusal | undefined {
  const figures = error === "window-exceeded" ? null : tooLongFigures(error);
  return figures === null ? undefined : { tokens: figures.tokens + extraTokens, sentTokens };
}

function costWith(cost: CompactionCost, reply: AskReply): CompactionCost {
  const usage = reply.kind === "answer" ? reply.usage : null;
  return {
    attempts: cost.attempts + 1,
    cacheReadTokens: cost.cacheReadTokens + (usage?.cache_read_input_tokens ?? 0),
    cacheCreationTokens: cost.cacheCreationTokens + (usage?.cache_creation_input_tokens ?? 0),
  };
}
