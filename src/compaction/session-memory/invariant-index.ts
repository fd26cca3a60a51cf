import type { Message } from "../../transcript/index.ts";
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
 * The adjusted index, and why it moved. A pair and a response each forbid an interval of indices: those after its first message, up to its last.
 * The answer is the largest index in no interval. Going back from the end, one number is enough to tell: the earliest beginning of all
 * intervals that end at or after the index. If that is before the index, one of them holds it. Two passes over the live part, whatever the links.
 */
export function explainAdjustment(messages: readonly Message[], start: number): Adjustment {
  const floor = lastBoundaryIndex(messages) + 1;
  const { pairs, responses } = beginnings(messages, floor);
  const from = Math.min(messages.length, Math.max(floor, start));
  let pair = messages.length;
  let response = messages.length;
  let byPair = false;
  let byResponse = false;
  for (let index = messages.length; index >= floor; index--) {
    if (index < messages.length) {
      pair = Math.min(pair, pairs[index - floor] as number);
      response = Math.min(response, responses[index - floor] as number);
    }
    if (index > from) continue;
    if (pair >= index && response >= index) return { index, why: reason(byPair, byResponse) };
    byPair ||= pair < index;
    byResponse ||= response < index;
  }
  return { index: floor, why: reason(byPair, byResponse) };
}

/** For each message of the live part: the earliest message that its results' tool_uses stand in, and the first part of its response; itself where there is none. */
function beginnings(messages: readonly Message[], floor: number): { pairs: Int32Array; responses: Int32Array } {
  const pairs = new Int32Array(messages.length - floor);
  const responses = new Int32Array(messages.length - floor);
  const callIndex = new Map<string, number>();
  const firstPart = new Map<string, number>();
  for (let index = floor; index < messages.length; index++) {
    const message = messages[index] as Message;
    let earliest = index;
    let first = index;
    if (message.kind === "assistant") {
      const known = firstPart.get(message.id);
      if (known === undefined) firstPart.set(message.id, index);
      else first = known;
      // An id that comes twice: a result belongs to the nearest call before it.
      for (const block of message.content) if (block.type === "tool_use") callIndex.set(block.id, index);
    } else if (message.kind === "user") {
      for (const block of message.content) {
        if (block.type === "tool_result") earliest = Math.min(earliest, callIndex.get(block.tool_use_id) ?? index);
      }
    }
    pairs[index - floor] = earliest;
    responses[index - floor] = first;
  }
  return { pairs, responses };
}

function reason(byPair: boolean, byResponse: boolean): Adjustment["why"] {
  if (byPair && byResponse) return "both";
  return byPair ? "tool-pair" : byResponse ? "message-id" : null;
}
