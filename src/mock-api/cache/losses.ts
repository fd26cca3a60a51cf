import type { BlockFacts } from "../facts/block-facts.ts";
import type { Link } from "../facts/link.ts";

/** Blocks that the model does not get to see whole, with the tokens that they lose. */
export type Weightless = ReadonlyMap<BlockFacts, number>;

/** What a conversation weighs less than its content, by place. */
export interface Losses {
  readonly total: number;
  /** Tokens lost up to and with a place of a link. O(log of what is lost). */
  upTo(link: Link, place: number): number;
}

export const noLosses: Losses = { total: 0, upTo: () => 0 };

/** By the link that last edits the cache, or the last of all: what a longer conversation has lost stands where it stood. */
const known = new WeakMap<Link, { readonly lost: Weightless; readonly losses: Losses }>();

/** Finds the places of what is lost: one pass over the links, once for the same edits. */
export function lossesOf(last: Link, lost: Weightless): Losses {
  if (lost.size === 0) return noLosses;
  const key = last.lastEdits ?? last;
  const found = known.get(key);
  if (found?.lost === lost) return found.losses;
  const losses = readLosses(last, lost);
  known.set(key, { lost, losses });
  return losses;
}

function readLosses(last: Link, lost: Weightless): Losses {
  const places: number[] = [];
  const tokens: number[] = [];
  for (let link: Link | null = last; link !== null; link = link.prev) {
    for (let at = link.places.length - 1; at >= 0; at--) {
      const less = lost.get(link.places[at] as BlockFacts);
      if (less === undefined) continue;
      places.push(link.placesBefore + at);
      tokens.push(less);
    }
  }
  places.reverse();
  let total = 0;
  const sums = tokens.reverse().map((less) => {
    total += less;
    return total;
  });
  return {
    total,
    upTo: (link, place) => {
      const at = link.placesBefore + place;
      let low = 0;
      let high = places.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((places[middle] as number) <= at) low = middle + 1;
        else high = middle;
      }
      return sums[low - 1] ?? 0;
    },
  };
}
