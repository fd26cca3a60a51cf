import type { BlockFacts } from "../facts/block-facts.ts";
import type { MessageFacts } from "../facts/message-facts.ts";
import type { RequestFacts } from "../facts/request-facts.ts";

/** Neighbouring messages of one role, which the server joins before it looks at them (V2). */
export interface Turn {
  readonly role: MessageFacts["role"];
  /** Index of the first wire message, and how many there are. */
  readonly first: number;
  readonly count: number;
}

function turnsOf(messages: readonly MessageFacts[], from = 0): readonly Turn[] {
  const turns: Turn[] = [];
  for (let at = from; at < messages.length; ) {
    const { role } = messages[at] as MessageFacts;
    let end = at + 1;
    while (end < messages.length && (messages[end] as MessageFacts).role === role) end++;
    turns.push({ role, first: at, count: end - at });
    at = end;
  }
  return turns;
}

/**
 * The turns that have to be looked at: from the turn before the one in which the accepted beginning ends. What comes earlier has passed with the
 * same neighbours.
 */
export function openTurns({ messages, links, accepted }: RequestFacts): readonly Turn[] {
  const ending = links[accepted - 1]?.turnStart ?? 0;
  return turnsOf(messages, ending > 0 ? (links[ending - 1]?.turnStart ?? 0) : 0);
}

/** Visits the blocks of a turn in order, with their place on the wire; stops when `visit` gives something, and gives that. */
export function eachBlock<T>(
  turn: Turn,
  messages: readonly MessageFacts[],
  visit: (block: BlockFacts, message: number, index: number) => T | undefined,
): T | undefined {
  for (let m = turn.first; m < turn.first + turn.count; m++) {
    const { blocks } = messages[m] as MessageFacts;
    for (let i = 0; i < blocks.length; i++) {
      const found = visit(blocks[i] as BlockFacts, m, i);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Sum of a figure over the messages of a turn. */
export function total(
  turn: Turn,
  messages: readonly MessageFacts[],
  figure: "toolUses" | "toolResults" | "thinkings",
): number {
  let sum = 0;
  for (let m = turn.first; m < turn.first + turn.count; m++) sum += (messages[m] as MessageFacts)[figure];
  return sum;
}
