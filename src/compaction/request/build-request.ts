import type { ModelInfo } from "../../tokens/index.ts";
import type {
  Message,
  RepairKind,
  WireBlock,
  WireMessage,
  WireRequest,
  WireThinking,
  WireTool,
} from "../../transcript/index.ts";
import {
  dropAllThinking,
  dropReboundThinking,
  dropThinkingOfOtherModels,
  ensureToolResultPairing,
  messagesAfterLastBoundary,
  normalizeForApi,
} from "../../transcript/index.ts";
import type { CacheEditPin } from "../micro/cached-edits.ts";
import { clearResults } from "../micro/clear-results.ts";
import {
  countBreakpoints,
  systemWithBreakpoint,
  toolsWithBreakpoint,
  withMessageBreakpoints,
} from "./cache-breakpoints.ts";
import { lacksOpeningThinking, thinkingFor } from "./thinking-for.ts";

/** What a request is made from. */
export interface RequestParts {
  /** Transcript messages; only those after the last boundary are sent (M6). */
  readonly messages: readonly Message[];
  readonly pins: readonly CacheEditPin[];
  /** False for a request on another prefix: what the pins delete is then cleared in its copy (MC3). A model without cache editing never carries them. */
  readonly carryPins: boolean;
  /** M7: thinking made up to this message is bound to a past that is gone; `all`: no thinking can stand. */
  readonly rebound: { readonly upTo: string | null } | "all";
  /** Blocks may carry breakpoints of their own, tools too: those are then left as they are (RC8). */
  readonly system: string | readonly WireBlock[];
  readonly tools: readonly WireTool[];
  readonly model: ModelInfo;
  /** The name that the model gives itself in its answers, where that differs from its id. */
  readonly answersAs: string;
  readonly thinking: WireThinking | null;
  readonly maxTokens: number;
  /** Messages of the request before this one, for RC8; null: there was none, or none with this prefix. */
  readonly previousLength: number | null;
}

export interface BuiltRequest {
  readonly wire: WireRequest;
  /** Kinds that needed no repair are left out. */
  readonly repairs: Readonly<Record<string, number>>;
  readonly dropped: { readonly rebound: number; readonly otherModel: number };
}

/** What stands in a tool result that a `cache_edits` block deleted, where the block cannot travel (MC3): the same text as MC2's. */
export const clearedResultText = "[Old tool result content cleared]";

/** The messages of a request, and what it took to make them valid. */
export interface PreparedMessages {
  readonly messages: readonly WireMessage[];
  readonly repairs: Readonly<Record<RepairKind, number>>;
  /** Blocks of thinking left out. */
  readonly dropped: { readonly rebound: number; readonly otherModel: number };
}

/** M7, RC4, MC3, M4, M5, from the first message on. Pure. */
export function prepareMessages(parts: RequestParts): PreparedMessages {
  const { messages, dropped } = sendableMessages(parts);
  return { ...ensureToolResultPairing(toWire(parts, messages)), dropped };
}

/** The live part without the thinking that cannot be sent (M6, M7, RC4). */
export function sendableMessages(parts: RequestParts): {
  readonly messages: readonly Message[];
  readonly dropped: PreparedMessages["dropped"];
} {
  const live = messagesAfterLastBoundary(parts.messages);
  const bound = parts.rebound === "all" ? dropAllThinking(live) : dropRebound(parts, live, parts.rebound.upTo);
  const own = dropThinkingOfOtherModels(bound.messages, parts.answersAs);
  return { messages: own.messages, dropped: { rebound: bound.dropped, otherModel: own.dropped } };
}

/**
 * The wire request (M4, M5, M7, MC3, RC8), the same for every strategy. Pure, as far as `prepare` is: a caller that asks again and again with a growing
 * conversation gives one that remembers (`createWireHistory`).
 */
export function buildRequest(
  parts: RequestParts,
  prepare: (parts: RequestParts) => PreparedMessages = prepareMessages,
): BuiltRequest {
  const { model, maxTokens } = parts;
  const { messages, repairs, dropped } = prepare(parts);
  const wished = thinkingFor(model, parts.thinking, maxTokens);
  const mustRest = wished?.type === "enabled" && lacksOpeningThinking(messages);
  const thinking = mustRest ? thinkingFor(model, { type: "disabled" }, maxTokens) : wished;
  const off = mustRest || wished?.type === "disabled";
  const { system } = systemWithBreakpoint(parts.system);
  const { tools } = toolsWithBreakpoint(parts.tools);
  const wire: WireRequest = {
    model: model.id,
    max_tokens: maxTokens,
    ...(system && { system }),
    ...(tools && { tools }),
    messages: withMessageBreakpoints(
      off ? prepareMessages({ ...parts, rebound: "all" }).messages : messages,
      parts.previousLength,
      countBreakpoints(system) + countBreakpoints(tools),
    ),
    ...(thinking === null ? {} : { thinking }),
    stream: true,
  };
  return { wire, repairs: onlyCounted(repairs), dropped };
}

function dropRebound(
  { model, messages }: RequestParts,
  live: readonly Message[],
  upTo: string | null,
): ReturnType<typeof dropReboundThinking> {
  if (!model.prefixBound) return { messages: live, dropped: 0 };
  // Stryker disable next-line ConditionalExpression: a shortcut; no message has null for its uuid.
  if (upTo === null) return { messages: live, dropped: 0 };
  // A change that lies behind the boundary has nothing before it that is still sent.
  const isLive = live === messages || live.some((message) => message.uuid === upTo);
  return isLive ? dropReboundThinking(live, upTo) : { messages: live, dropped: 0 };
}

function toWire(
  { model, pins, carryPins }: RequestParts,
  messages: readonly Message[],
): ReturnType<typeof normalizeForApi> {
  // Stryker disable next-line ConditionalExpression: a shortcut; without pins nothing is cleared and no block travels.
  if (pins.length === 0) return normalizeForApi(messages);
  if (carryPins && model.cacheEditing) return normalizeForApi(messages, { pins });
  const deleted = new Set(pins.flatMap((pin) => pin.toolUseIds));
  return normalizeForApi(clearResults(messages, deleted, clearedResultText));
}

function onlyCounted(repairs: Readonly<Record<RepairKind, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(repairs).filter(([, count]) => count > 0));
}
