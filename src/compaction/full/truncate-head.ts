import { estimateMessage, roughTokenSum } from "../../tokens/index.ts";
import type { Message, UserMessage } from "../../transcript/index.ts";
import { groupByApiRound, newestHumanMessage } from "../../transcript/index.ts";
import type { CallError } from "../ports.ts";
import { cutLargestResults } from "./cut-results.ts";
import type { TooLongFigures } from "./too-long.ts";
import { tooLongFigures } from "./too-long.ts";

/** What is known of a request that was too long. Tokens are rough and unpadded where they are not the server's. */
export interface TooLongRequest {
  /** `window-exceeded`: the answer stopped because input and output together filled the window (FC3). */
  readonly error: CallError | "window-exceeded";
  /** Its `max_tokens`: room that the answer needs. */
  readonly maxOutput: number;
  /** Rough size of its messages, as sent. */
  readonly sentTokens: number;
  /** Rough size of the rest of it: system prompt, tools, the compact prompt. */
  readonly fixedTokens: number;
  /** What the next request has beyond this one: the compact prompt, where this one was the main thread's (RC2). */
  readonly extraTokens?: number;
  /** The refusal before this one. */
  readonly previous?: Refusal;
}

/** An earlier refusal: what the server counted, and the rough size of the messages that it counted. */
export interface Refusal {
  readonly tokens: number;
  readonly sentTokens: number;
}

export interface TruncationPolicy {
  /** Percent of the groups that fall where the error names no figures. */
  readonly dropPercent: number;
  /** Scale the rough sums by what the server counted, and leave room for the answer. The original does neither. */
  readonly scaleRetry: boolean;
  /** What the rest hangs on stays while rounds can go: earlier summaries, and the newest human message. The original drops them first. */
  readonly keepAnchors: boolean;
}

export interface TruncatedHead {
  readonly messages: readonly Message[];
  readonly droppedMessages: number;
  /** How much smaller the result is than what was sent, cut output included. */
  readonly droppedTokens: number;
  /** Tokens that had to go, by the server's count; null where the error named none. */
  readonly gap: number | null;
}

/**
 * The messages without their oldest rounds, so that a request which was too long fits: smaller, by rough estimate, than what was
 * sent (PT1-PT4). At least one round stays; where dropping is not enough, its largest tool results are cut in the middle. Null where
 * nothing is left that may go. `marker` names the message that stands first where otherwise an assistant's would (PT3).
 */
export function truncateHeadForRetry(
  messages: readonly Message[],
  request: TooLongRequest,
  policy: TruncationPolicy,
  marker: MarkerIdentity,
): TruncatedHead | null {
  const { summaries, rest } = splitHead(messages);
  const task = { request, policy, marker };
  if (!policy.keepAnchors) return cutOldest([], undefined, [...summaries, ...rest], task);
  const human = newestHumanMessage(rest);
  const anchor = human !== undefined && estimateMessage(human) <= ANCHOR_TOKENS ? human : undefined;
  return cutOldest(summaries, anchor, rest, task) ?? cutOldest([], undefined, [...summaries, ...rest], task);
}

/** A longer human message is cut in the result anyway (FC9), and would leave no room for the rounds. */
const ANCHOR_TOKENS = 20_000;

interface CutTask {
  readonly request: TooLongRequest;
  readonly policy: TruncationPolicy;
  readonly marker: MarkerIdentity;
}

/** `summaries` stand first whatever goes, and `anchor` where it would go; of `droppable` the oldest rounds go. */
function cutOldest(
  summaries: readonly Message[],
  anchor: Message | undefined,
  droppable: readonly Message[],
  { request, policy, marker }: CutTask,
): TruncatedHead | null {
  const groups = groupByApiRound(droppable);
  const gap = tooLongGap(request, policy);
  const need = gap === null ? null : gap / rateOf(request, policy) + (request.extraTokens ?? 0);
  /** The largest size that will do, by rough estimate. */
  const target = Math.min(request.sentTokens - SMALLEST_STEP_TOKENS, request.sentTokens - (need ?? 0));
  const mostDroppable = Math.max(0, groups.length - 1);
  const anchorGroup = groups.findIndex((group) => group.includes(anchor as Message));

  let dropped = need === null ? Math.min(mostDroppable, percentOf(groups.length, policy.dropPercent)) : 0;
  let rest = roughTokenSum(summaries) + groups.slice(dropped).reduce((sum, group) => sum + roughTokenSum(group), 0);
  const kept = (): readonly Message[] => (anchorGroup >= 0 && anchorGroup < dropped ? [anchor as Message] : []);
  const size = (): number => rest + roughTokenSum(kept()) + (needsMarker(groups[dropped]) ? MARKER_TOKENS : 0);
  while (dropped < mostDroppable && size() > target) rest -= roughTokenSum(groups[dropped++] as readonly Message[]);

  const left = groups.slice(dropped).flat();
  const whole = [...summaries, ...kept(), ...(needsMarker(left) ? [truncationMarker(marker)] : []), ...left];
  const over = Math.max(size() - target, need === null && groups.length < 2 ? (rest * policy.dropPercent) / 100 : 0);
  const fitting = cutLargestResults(whole, over);
  const droppedTokens = request.sentTokens - roughTokenSum(fitting);
  if (droppedTokens <= 0 || fitting.length === 0) return null;
  const droppedMessages = groups.slice(0, dropped).reduce((sum, group) => sum + group.length, 0) - kept().length;
  return { messages: fitting, droppedMessages, droppedTokens, gap };
}

export interface MarkerIdentity {
  readonly uuid: string;
  readonly timestamp: number;
}

/** The user message that stands where rounds were dropped (PT3). */
function truncationMarker({ uuid, timestamp }: MarkerIdentity): UserMessage {
  return { kind: "user", uuid, timestamp, isMeta: true, content: [{ type: "text", text: MARKER_TEXT }] };
}

/** Whether a message is the marker of an earlier truncation. */
export function isTruncationMarker(message: Message | undefined): boolean {
  if (message?.kind !== "user" || message.isMeta !== true) return false;
  const [block] = message.content;
  return block?.type === "text" && block.text === MARKER_TEXT;
}

const MARKER_TEXT =
  "[The oldest part of this conversation was left out here, because it did not fit. What follows begins in the middle.]";
const MARKER_TOKENS = estimateMessage(truncationMarker({ uuid: "", timestamp: 0 }));

/** Every estimate is a multiple of a quarter token (T2). */
const SMALLEST_STEP_TOKENS = 0.25;

/** The summaries of earlier compactions that stand first, and the rest without the marker of an earlier drop, or a drop might drop that alone (PT1). */
function splitHead(messages: readonly Message[]): { summaries: readonly Message[]; rest: readonly Message[] } {
  let end = 0;
  while (end < messages.length && (isSummary(messages[end] as Message) || isTruncationMarker(messages[end]))) end++;
  return { summaries: messages.slice(0, end).filter(isSummary), rest: messages.slice(end) };
}

function isSummary(message: Message): boolean {
  return (message as UserMessage).isCompactSummary === true;
}

function needsMarker(messages: readonly Message[] | undefined): boolean {
  return messages?.[0]?.kind === "assistant";
}

function percentOf(groups: number, percent: number): number {
  return Math.max(1, Math.floor((groups * percent) / 100));
}

/** Tokens that have to go, by the server's count, `extraTokens` apart (PT2); null where the refusal names none. */
export function tooLongGap(request: TooLongRequest, policy: TruncationPolicy): number | null {
  if (request.error === "window-exceeded") return request.maxOutput;
  const figures = tooLongFigures(request.error);
  if (figures === null) return null;
  return figures.tokens - figures.limit + (policy.scaleRetry ? request.maxOutput : 0);
}

/** Tokens of the server for each token of the rough estimate. */
function rateOf(request: TooLongRequest, policy: TruncationPolicy): number {
  const figures = request.error === "window-exceeded" ? null : tooLongFigures(request.error);
  if (!policy.scaleRetry || figures === null) return 1;
  return rateOfLastDrop(figures, request) ?? figures.tokens / Math.max(1, request.sentTokens + request.fixedTokens);
}

function rateOfLastDrop(figures: TooLongFigures, { previous, sentTokens }: TooLongRequest): number | null {
  if (previous === undefined || previous.tokens <= figures.tokens || previous.sentTokens <= sentTokens) return null;
  return (previous.tokens - figures.tokens) / (previous.sentTokens - sentTokens);
}
