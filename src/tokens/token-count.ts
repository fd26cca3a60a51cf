import type { AssistantMessage, Message, Usage } from "../transcript/index.ts";
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
  const { estimator = roughEstimator, overheadTokens, staleUuids, window } = options;
  const start = lastBoundaryIndex(messages) + 1;
  const kept = keptUuids(messages[start - 1]);
  let newest = messages.length - 1;
  while (newest >= start && !isBasis(messages[newest] as Message, window, kept, staleUuids)) newest--;
  if (newest < start) return countAll(estimator.total(sumOver(messages, start, estimator)), overheadTokens);
  const { id } = messages[newest] as AssistantMessage;
  const parts: number[] = [];
  let partsSum = 0;
  for (let i = start; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.kind !== "assistant" || message.id !== id) continue;
    parts.push(i);
    partsSum += estimator.message(message);
  }
  const sum = sumOver(messages, parts[0] as number, estimator);
  return countFromResponse(messages, { parts, partsSum, sum }, window, estimator);
}

/** Nothing to go by: all is estimated, what stands before the messages included. */
export function countAll(estimate: number, overheadTokens: number): TokenCount {
  const tokens = estimate + overheadTokens;
  return { tokens, basis: null, estimated: tokens };
}

/** A response to count from: the indices of all its parts, their estimate, and that of everything from the first of them on (sums, not padded). */
export interface ResponseSums {
  readonly parts: readonly number[];
  readonly partsSum: number;
  readonly sum: number;
}

/** The count on the basis of one response, at least one part of which carries a usable usage. */
export function countFromResponse(
  messages: readonly Message[],
  { parts, partsSum, sum }: ResponseSums,
  window: number,
  estimator: Estimator,
): TokenCount {
  let best: { readonly part: AssistantMessage; readonly usage: Usage } | undefined;
  let complete = false;
  for (const index of parts) {
    const part = messages[index] as AssistantMessage;
    complete ||= part.stopReason !== null;
    const usage = usableUsage(part, window);
    if (usage !== null && usage.output_tokens >= (best?.usage.output_tokens ?? 0)) best = { part, usage };
  }
  if (best === undefined) throw new RangeError(`no usable usage in ${parts.length} parts`);
  // Without a stop_reason the output figure is what stood in the first event of a stream: a placeholder.
  const exact = complete ? exactCount(best.usage) : inputCount(best.usage);
  const estimated = estimator.total(complete ? sum - partsSum : sum);
  const firstPartIndex = parts[0] as number;
  return { tokens: exact + estimated, basis: { messageUuid: best.part.uuid, firstPartIndex, exact }, estimated };
}

/** What a boundary kept from before it; nothing for any other message. */
export function keptUuids(boundary: Message | undefined): ReadonlySet<string> {
  return new Set(boundary?.kind === "boundary" ? boundary.keptUuids : []);
}

/** Whether this message's usage may be counted from (T4): usable, and not older than the last compaction, collapse or drop. */
export function isBasis(
  message: Message,
  window: number,
  kept: ReadonlySet<string>,
  staleUuids: ReadonlySet<string> | undefined,
): boolean {
  return usableUsage(message, window) !== null && !kept.has(message.uuid) && staleUuids?.has(message.uuid) !== true;
}

function sumOver(messages: readonly Message[], from: number, estimator: Estimator): number {
  let sum = 0;
  for (let i = from; i < messages.length; i++) sum += estimator.message(messages[i] as Message);
  return sum;
}
