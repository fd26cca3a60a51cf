import { roughTokenCount, roughTokenSum, tokenCountWithEstimation } from "../../tokens/index.ts";
import type { UserMessage } from "../../transcript/index.ts";
import type { CompactionConfig } from "../config.ts";
import type { CompactorPorts } from "../context.ts";
import type { CallError } from "../ports.ts";
import { usedWindow } from "../thresholds.ts";
import type { FullCompactInput } from "./full-compact-input.ts";
import type { ResolvedScope } from "./scope.ts";
import type { SummaryTask } from "./summarise.ts";
import { refusalIn } from "./summarise.ts";
import type { History } from "./summary-request.ts";
import { messagesAsCounted, messagesToTruncate } from "./summary-request.ts";
import type { TooLongRequest } from "./truncate-head.ts";
import { tooLongGap, truncateHeadForRetry } from "./truncate-head.ts";

/** The task in the state in which it is first sent; null where it is known beforehand that nothing could make it fit. */
export function summaryTask(
  input: FullCompactInput,
  scope: ResolvedScope,
  instruct: string,
  config: CompactionConfig,
  ports: CompactorPorts,
): SummaryTask | null {
  const { context, refused } = input;
  const maxOutput = Math.min(config.full.maxSummaryTokens, context.model.maxOutput);
  const mediaRefused = refused?.class === "media";
  const history: History = {
    original: scope.sent,
    deletedResults: new Set(input.deletedResults),
    clearedMarker: config.micro.marker,
    prepared: mediaRefused || needsPreparation(input, scope, instruct, maxOutput, config, ports),
    truncated: null,
    prefixBound: context.model.prefixBound,
  };
  const task: SummaryTask = {
    history,
    instruct,
    maxOutput,
    overheadTokens: context.overheadTokens,
    mediaRefused,
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  };
  if (refused?.class !== "overflow" && refused?.class !== "output-overflow") return task;
  return cutAhead(task, refused, context.pending ?? null, config, ports);
}

/** FC2: by the count of the live part, which knows the server's own figures, where the fork would not fit untouched. */
function needsPreparation(
  input: FullCompactInput,
  scope: ResolvedScope,
  instruct: string,
  maxOutput: number,
  config: CompactionConfig,
  { estimator }: CompactorPorts,
): boolean {
  if (config.full.fork.preparation === "always") return true;
  const { model, overheadTokens } = input.context;
  const end = scope.kind === "partial-up-to" ? scope.keep.from : input.messages.length;
  const window = usedWindow(model, config);
  const tokens = tokenCountWithEstimation(input.messages.slice(0, end), { overheadTokens, window, estimator });
  return tokens + estimator.total(roughTokenCount(instruct)) + maxOutput > window;
}

/** RC2: the main request was too long, so this one would be refused for certain; its head falls before it is sent, which is no retry. */
function cutAhead(
  task: SummaryTask,
  error: CallError,
  pending: UserMessage | null,
  config: CompactionConfig,
  { clock, ids, emit }: CompactorPorts,
): SummaryTask | null {
  const sent = messagesAsCounted("fork", { ...task.history, prepared: false });
  const request: TooLongRequest = {
    error,
    maxOutput: task.maxOutput,
    sentTokens: roughTokenSum(pending === null ? sent : [...sent, pending]),
    fixedTokens: task.overheadTokens,
    extraTokens: roughTokenCount(task.instruct),
  };
  const gap = tooLongGap(request, config.full.tooLong);
  if (gap !== null && gap + roughTokenCount(task.instruct) <= 0) return task;
  const marker = { uuid: ids.uuid(), timestamp: clock.now() };
  const cut = truncateHeadForRetry(messagesToTruncate(task.history), request, config.full.tooLong, marker);
  if (cut === null) return null;
  emit({
    kind: "notice",
    code: "compact_head_cut_ahead",
    text: `The summary is made without the oldest ${cut.droppedMessages} messages: the conversation is longer than the window.`,
  });
  const previous = refusalIn(request);
  return {
    ...task,
    history: { ...task.history, truncated: cut.messages },
    ...(previous === undefined ? {} : { previous }),
  };
}
