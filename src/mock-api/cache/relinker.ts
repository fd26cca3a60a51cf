import type { Link, Weightless } from "../facts/link.ts";
import { linkTo } from "../facts/link.ts";
import type { MessageFacts } from "../facts/message-facts.ts";
import type { RequestFacts } from "../facts/request-facts.ts";

/** Links a conversation anew with some blocks weighing less. Goes on from the last one that it linked where that began alike. */
export interface Relinker {
  relink(facts: RequestFacts, lost: Weightless): Link;
}

export function createRelinker(): Relinker {
  let root: Link | undefined;
  let messages: readonly MessageFacts[] = [];
  let lost: Weightless = new Map();
  let links: readonly Link[] = [];
  return {
    relink: (facts, now) => {
      let same = 0;
      if (root === facts.root && isSame(lost, now))
        while (same < messages.length && messages[same] === facts.messages[same]) same++;
      const made = links.slice(0, same);
      let last: Link = made.at(-1) ?? facts.root;
      for (let i = same; i < facts.messages.length; i++) {
        last = linkTo(last, facts.messages[i] as MessageFacts, i, facts.tokenizer, facts.root.bound, now);
        made.push(last);
      }
      root = facts.root;
      messages = facts.messages;
      lost = now;
      links = made;
      return last;
    },
  };
}

function isSame(before: Weightless, now: Weightless): boolean {
  if (before === now) return true;
  if (before.size !== now.size) return false;
  for (const [block, tokens] of now) if (before.get(block) !== tokens) return false;
  return true;
}
