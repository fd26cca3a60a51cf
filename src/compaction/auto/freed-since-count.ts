import type { TokenCount } from "../../tokens/index.ts";
import type { Clearing } from "../micro/time-clearing.ts";

/** What was taken out of messages that the newest usage still counts as full. Plain data. */
export interface FreedSinceCount {
  /** The message whose usage is too large by `tokens`. */
  readonly basisUuid: string;
  /** Unpadded. */
  readonly tokens: number;
}

/** What is to be taken off a count, so that what was cleared is not counted (AC5). */
export function freedFrom(count: TokenCount, freed: FreedSinceCount | null): number {
  return freed !== null && count.basis?.messageUuid === freed.basisUuid ? freed.tokens : 0;
}

/**
 * Books a clearing against the count made after it. Only what stood before the response that the count is based on matters:
 * the rest is estimated anew, and smaller already.
 */
export function bookClearing(
  count: TokenCount,
  freed: FreedSinceCount | null,
  clearing: Clearing,
): FreedSinceCount | null {
  const { basis } = count;
  if (basis === null) return null;
  const covered = clearing.freedAt
    .filter(({ index }) => index < basis.firstPartIndex)
    .reduce((sum, { tokens }) => sum + tokens, 0);
  return bookFreed(count, freed, covered);
}

/** Books tokens that are known to have stood before that response: a snip's. Where all is estimated, there is nothing to book against. */
export function bookFreed(count: TokenCount, freed: FreedSinceCount | null, tokens: number): FreedSinceCount | null {
  if (count.basis === null) return null;
  return { basisUuid: count.basis.messageUuid, tokens: freedFrom(count, freed) + tokens };
}
