import type { BlockFacts, Ttl } from "../facts/block-facts.ts";
import type { Link } from "../facts/link.ts";
import type { RequestFacts } from "../facts/request-facts.ts";
import type { Losses, Weightless } from "./losses.ts";
import { lossesOf } from "./losses.ts";

/** The prompt as the cache sees it: the chain of links, and where the breakpoints are (K2). */
export interface Positions {
  readonly last: Link;
  /** In the order of the prompt. */
  readonly breakpoints: readonly Breakpoint[];
  /** Tokens that are paid: the content of all places without what is lost. */
  readonly total: number;
  readonly losses: Losses;
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

export function positionsOf(facts: RequestFacts, lost: Weightless): Positions {
  const { last, root } = facts;
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
  const losses = lossesOf(last, lost);
  const { toolsKey, systemKey } = root;
  return { last, breakpoints, total: last.tokens - losses.total, losses, toolsKey, systemKey };
}

/** What the prefix up to a place costs, in tokens. Its content, deleted or not, is `link.sums[place]`: what the minimum length is held against. */
export function costUpTo({ losses }: Positions, link: Link, place: number): number {
  return (link.sums[place] as number) - losses.upTo(link, place);
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
