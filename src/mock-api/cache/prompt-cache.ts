import type { Ttl } from "../facts/block-facts.ts";
import type { Link } from "../facts/link.ts";
import type { Breakpoint, Positions } from "./positions.ts";
import { costUpTo } from "./positions.ts";

/** How the input of one request is paid. The four add up to the whole input. */
export interface CacheOutcome {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly uncached: number;
}

/**
 * The server's prompt cache on virtual time (K2). An entry is the name of a prefix: prefixes that share a beginning share the entries of it,
 * which makes the flat map a tree.
 */
export interface PromptCache {
  /** What a request would read and write now; changes nothing. */
  lookUp(positions: Positions, minTokens: number, now: number): CacheOutcome;
  /** Writes and refreshes what `lookUp` found. Entries live from `now`, the start of the request, and can be read from `readableFrom`. */
  commit(positions: Positions, minTokens: number, now: number, readableFrom: number): void;
  /** Forgets everything (fault `cache-flush`). */
  flush(): void;
  readonly size: number;
}

interface Hit {
  readonly key: number;
  readonly tokens: number;
}

interface Entry {
  expiresAt: number;
  ttlMs: number;
  readableFrom: number;
}

const ttlMs: Readonly<Record<Ttl, number>> = { "5m": 300_000, "1h": 3_600_000 };
/** How far back from a breakpoint a hit is looked for, in positions, the breakpoint included. */
const lookBack = 20;
/** Expired entries are swept whenever this many have been written since the last sweep. */
const sweepEvery = 4_096;

export function createPromptCache(): PromptCache {
  const entries = new Map<number, Entry>();
  let written = 0;

  const live = (key: number, now: number): Entry | undefined => {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresAt > now && entry.readableFrom <= now ? entry : undefined;
  };
  const hitOf = (positions: Positions, minTokens: number, now: number): Hit | null => {
    for (let b = positions.breakpoints.length - 1; b >= 0; b--) {
      const hit = hitBefore(positions, positions.breakpoints[b] as Breakpoint, minTokens, now);
      if (hit !== null) return hit;
    }
    return null;
  };
  const hitBefore = (positions: Positions, breakpoint: Breakpoint, minTokens: number, now: number): Hit | null => {
    const runHere = breakpoint.link.runs[breakpoint.place] as number;
    let place = breakpoint.place;
    for (let link: Link | null = breakpoint.link; link !== null; link = link.prev) {
      if (link !== breakpoint.link) place = link.keys.length - 1;
      for (; place >= 0; place--) {
        if (runHere - (link.runs[place] as number) >= lookBack || (link.sums[place] as number) < minTokens) return null;
        const key = link.keys[place] as number;
        if (live(key, now) !== undefined) return { key, tokens: costUpTo(positions, link, place) };
      }
    }
    return null;
  };
  const sweep = (now: number): void => {
    written = 0;
    for (const [key, entry] of entries) if (entry.expiresAt <= now) entries.delete(key);
  };

  return {
    lookUp: (positions, minTokens, now) => {
      const read = hitOf(positions, minTokens, now)?.tokens ?? 0;
      let covered = read;
      let write1h = 0;
      let write5m = 0;
      for (const { link, place, ttl } of positions.breakpoints) {
        const upTo = costUpTo(positions, link, place);
        if (upTo <= covered || (link.sums[place] as number) < minTokens) continue;
        if (ttl === "1h") write1h += upTo - covered;
        else write5m += upTo - covered;
        covered = upTo;
      }
      return { read, write5m, write1h, uncached: positions.total - covered };
    },
    commit: (positions, minTokens, now, readableFrom) => {
      const hit = hitOf(positions, minTokens, now);
      if (hit !== null) refresh(entries.get(hit.key), now);
      for (const { link, place, ttl } of positions.breakpoints) {
        if ((link.sums[place] as number) < minTokens) continue;
        const key = link.keys[place] as number;
        const known = entries.get(key);
        const isAlive = known !== undefined && known.expiresAt > now;
        if (isAlive && known.ttlMs >= ttlMs[ttl]) {
          refresh(known, now);
          continue;
        }
        entries.set(key, {
          expiresAt: now + ttlMs[ttl],
          ttlMs: ttlMs[ttl],
          readableFrom: isAlive ? Math.min(known.readableFrom, readableFrom) : readableFrom,
        });
        if (++written >= sweepEvery) sweep(now);
      }
    },
    flush: () => entries.clear(),
    get size() {
      return entries.size;
    },
  };
}

function refresh(entry: Entry | undefined, now: number): void {
  if (entry !== undefined) entry.expiresAt = now + entry.ttlMs;
}
