import type { BlockFacts, Ttl } from "../facts/block-facts.ts";
import type { Link } from "../facts/link.ts";
import type { RequestFacts } from "../facts/request-facts.ts";

/** The prompt as the cache sees it: the chain of links, and where the breakpoints are (K2). */
export interface Positions {
  readonly last: Link;
  /** In the order of the prompt. */
  readonly breakpoints: readonly Breakpoint[];
  readonly total: number;
  /** Names of the prefix up to the end of the tools, and of the system prompt. */
  readonly toolsKey: number;
  readonly systemKey: number;
}

export interface Breakpoint {
  readonly link: Link;
  /** Index of the place in the link. */
  readonly place: number;
  readonly ttl: Ttl;
}

/** `last` is the end of the chain, where it is not the facts' own. */
export function positionsOf(facts: RequestFacts, last: Link = facts.last): Positions {
  const breakpoints: Breakpoint[] = [];
  for (let link = last.lastBreak; link !== null; link = link.prev?.lastBreak ?? null) {
    for (let place = link.places.length - 1; place >= 0; place--) {
      const { ttl } = link.places[place] as BlockFacts;
      if (ttl !== null) breakpoints.push({ link, place, ttl });
    }
  }
  breakpoints.reverse();
  const whole = topLevelTtl(facts.body.cache_control);
  const end = lastPlaced(last);
  if (whole !== null && end !== null) {
    const isThere = breakpoints.at(-1)?.link === end && breakpoints.at(-1)?.place === end.places.length - 1;
    if (!isThere) breakpoints.push({ link: end, place: end.places.length - 1, ttl: whole });
  }
  return { last, breakpoints, total: last.tokens, toolsKey: facts.root.toolsKey, systemKey: facts.root.systemKey };
}

/** The nearest link that has a place at all. */
function lastPlaced(last: Link): Link | null {
  let link: Link | null = last;
  while (link !== null && link.places.length === 0) link = link.prev;
  return link;
}

function topLevelTtl(control: unknown): Ttl | null {
  if (control === undefined || control === null) return null;
  return (control as { readonly ttl?: Ttl }).ttl ?? "5m";
}
