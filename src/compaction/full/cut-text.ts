/**
 * The text with its middle replaced by `note`, at most `maxChars` long; the same string when it is short enough. Two thirds of what
 * stays come from the start. A surrogate pair is never split.
 */
export function cutMiddle(text: string, maxChars: number, note: string): string {
  if (text.length <= maxChars) return text;
  const room = Math.max(0, maxChars - note.length);
  const tailChars = Math.floor(room / 3);
  return wholePairs(text.slice(0, room - tailChars)) + note + wholePairs(text.slice(text.length - tailChars));
}

/** The start of the text followed by `note`, at most `maxChars` long; the same string when it is short enough. */
export function cutEnd(text: string, maxChars: number, note: string): string {
  if (text.length <= maxChars) return text;
  return wholePairs(text.slice(0, Math.max(0, maxChars - note.length))) + note;
}

/** The largest cap under which the sizes, each cut to it, sum to `budget` at most. Infinity where they do so uncut. */
export function fairCap(sizes: readonly number[], budget: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = Math.max(0, budget);
  for (const [i, size] of ascending.entries()) {
    const share = left / (ascending.length - i);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** Half a surrogate pair at either end is left out. */
export function wholePairs(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
