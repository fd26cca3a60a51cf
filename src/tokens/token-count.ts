import type { AssistantMessage, BoundaryMessage, Message } from "../transcript/index.ts";
import { lastBoundaryIndex } from "../transcript/index.ts";
import type { Estimator } from "./estimator.ts";
import { roughEstimator } from "./estimator.ts";
import { exactCount, inputCount, usableUsage } from "./exact-count.ts";

export interface CountOptions {
  /** Size of system prompt and tools: added where no response tells (T5). */
  readonly overheadTokens: number;
  /** The model's context window, tokens. */
  readonly window: number;
  /** Default: rough. */
  readonly estimator?: Estimator;
  /** Messages whose usage is older than a collapse commit or a stated drop (T4), beside those that the last boundary names as kept. */
  readonly staleUuids?: ReadonlySet<string>;
}

export interface TokenCount {
  /** Tokens of the next request's input, as far as the live part goes. */
  readonly tokens: number;
  /** The response whose usage was believed; null where all is estimated. */
  readonly basis: {
    /** The part that carried the figures. */
    readonly messageUuid: string;
    /** Index of the first part of that response in the messages given: what stands before is covered by `exact`. */
    readonly firstPartIndex: number;
    readonly exact: number;
  } | null;
  /** The estimated share of `tokens`, overhead included. */
  readonly estimated: number;
}

/** `countTokens(...).tokens` (T5). */
export function tokenCountWithEstimation(messages: readonly Message[], options: CountOptions): number {
  return countTokens(messages, options).tokens;
}

/**
 * The size of the live part: the newest usable response's own figure, plus the estimate of every other message after its first part (T4, T5).
 * Looks at nothing before the last boundary. One pass from the end, one over what came after.
 */
export function countTokens(messages: readonly Message[], options: CountOptions): TokenCount {
  const start = lastBoundaryIndex(messages) + 1;
  const boundary = start > 0 ? (messages[start - 1] as BoundaryMessage) : undefined;
  const newest = newestUsableIndex(messages, start, staleTest(boundary, options), options.window);
  if (newest < 0) return estimateAll(messages, start, options);
  const { id } = messages[newest] as AssistantMessage;
  const parts: number[] = [];
  for (let i = start; i <= newest; i++) if (isPart(messages[i] as Message, id)) parts.push(i);
  for (let i = newest + 1; i < messages.length; i++) if (isPart(messages[i] as Message, id)) parts.push(i);
  return countFrom(messages, parts, options, sumOver(messages, parts[0] as number, messages.length, options.estimator));
}

/**
 * The count on the basis of one response. `parts` are the indices of all its parts, ascending; `sum` is the estimate of everything from the first of them on.
 * For callers that keep an index; `countTokens` finds the parts itself.
 */
export function countFrom(
  messages: readonly Message[],
  parts: readonly number[],
  options: CountOptions,
  sum: number,
): TokenCount {
  const { estimator = roughEstimator, window } = options;
  let best: AssistantMessage | undefined;
  let complete = false;
  let others = sum;
  for (const index of parts) {
    const part = messages[index] as AssistantMessage;
    complete ||= part.stopReason !== null;
    others -= estimator.message(part);
    const usage = usableUsage(part, window);
    if (usage !== null && usage.output_tokens >= (best?.usage?.output_tokens ?? 0)) best = part;
  }
  if (best?.usage == null) throw new RangeError(`none of the ${parts.length} parts carries a usable usage`);
  // Without a stop_reason the output figure is what stood in the first event of a stream: a placeholder.
  const exact = complete ? exactCount(best.usage) : inputCount(best.usage);
  const estimated = estimator.total(complete ? others : sum);
  const firstPartIndex = parts[0] as number;
  return { tokens: exact + estimated, basis: { messageUuid: best.uuid, firstPartIndex, exact }, estimated };
}

/** Whether a message's usage is older than the last compaction or drop. */
export function staleTest(
  boundary: BoundaryMessage | undefined,
  { staleUuids }: Pick<CountOptions, "staleUuids">,
): (uuid: string) => boolean {
  const kept = new Set(boundary?.keptUuids);
  return (uuid) => kept.has(uuid) || staleUuids?.has(uuid) === true;
}

function newestUsableIndex(
  messages: readonly Message[],
  start: number,
  isStale: (uuid: string) => boolean,
  window: number,
): number {
  for (let i = messages.length - 1; i >= start; i--) {
    const message = messages[i] as Message;
    if (usableUsage(message, window) !== null && !isStale(message.uuid)) return i;
  }
  return -1;
}

function estimateAll(messages: readonly Message[], start: number, options: CountOptions): TokenCount {
  const { estimator = roughEstimator, overheadTokens } = options;
  const tokens = estimator.total(sumOver(messages, start, messages.length, estimator)) + overheadTokens;
  return { tokens, basis: null, estimated: tokens };
}

function sumOver(messages: readonly Message[], from: number, to: number, estimator = roughEstimator): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += estimator.message(messages[i] as Message);
  return sum;
}

function isPart(message: Message, id: string): boolean {
  return message.kind === "assistant" && message.id === id;
}
