import type { Block, Message, ToolUseBlock } from "../../transcript/index.ts";
import { lastBoundaryIndex } from "../../transcript/index.ts";

/**
 * The LARGEST index at or before `start` from which a transcript may be kept (SM4): (a) every tool_result from there on whose tool_use stands
 * in the live part has it from there on too; (b) no response has parts on both sides. Never before the live part: a start there counts as its beginning.
 * A result whose tool_use is nowhere in the live part is no reason to move (M5 deals with it).
 */
export function adjustIndexToKeepInvariants(messages: readonly Message[], start: number): number {
  return explainAdjustment(messages, start).index;
}

export interface Adjustment {
  readonly index: number;
  /** What forbade the indices that were passed over; null where nothing was in the way. */
  readonly why: "tool-pair" | "message-id" | "both" | null;
}

/**
 * The adjusted index, and why it moved. What is kept needs certain ids before it: the calls of results that it holds, and the other parts of its responses.
 * One walk back over the live part takes in every message that has such an id, with all that stands after it, and what these need in turn. A message that is
 * taken in can only need what stands before it, so the walk never turns: it ends at the fixpoint. Only ids of what is kept are remembered.
 */
export function explainAdjustment(messages: readonly Message[], start: number): Adjustment {
  const floor = lastBoundaryIndex(messages) + 1;
  let index = Math.min(messages.length, Math.max(floor, start));
  const needs: Needs = { calls: new Set(), responses: new Set() };
  takeIn(needs, messages, index, messages.length);
  let byPair = false;
  let byResponse = false;
  for (let i = index - 1; i >= floor; i--) {
    const message = messages[i] as Message;
    if (message.kind !== "assistant") continue;
    const isPart = needs.responses.has(message.id);
    // Stryker disable next-line ConditionalExpression,EqualityOperator: a shortcut; where nothing is needed no call is a needed one.
    const isCalled = needs.calls.size > 0 && message.content.some((block) => isNeededCall(block, needs));
    if (!isPart && !isCalled) continue;
    byResponse ||= isPart;
    byPair ||= isCalled;
    takeIn(needs, messages, i, index);
    index = i;
  }
  return { index, why: reason(byPair, byResponse) };
}

/** What the kept part needs of what stands before it. */
interface Needs {
  /** tool_use ids of results whose call has not been met yet. */
  readonly calls: Set<string>;
  readonly responses: Set<string>;
}

/** Adds the messages [from, to) in front of what is kept. An id that comes twice: a result belongs to the nearest call before it. */
function takeIn(needs: Needs, messages: readonly Message[], from: number, to: number): void {
  for (let i = to - 1; i >= from; i--) {
    const message = messages[i] as Message;
    if (message.kind === "assistant") {
      needs.responses.add(message.id);
      for (const block of message.content) needs.calls.delete((block as ToolUseBlock).id);
    } else if (message.kind === "user") {
      for (const block of message.content) if (block.type === "tool_result") needs.calls.add(block.tool_use_id);
    }
  }
}

function isNeededCall(block: Block, { calls }: Needs): boolean {
  return calls.has((block as ToolUseBlock).id);
}

function reason(byPair: boolean, byResponse: boolean): Adjustment["why"] {
  if (byPair && byResponse) return "both";
  return byPair ? "tool-pair" : byResponse ? "message-id" : null;
}
