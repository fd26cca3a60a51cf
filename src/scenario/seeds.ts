/** The largest seed: every whole number up to it is told apart from its neighbours. */
export const maxSeed: number = Number.MAX_SAFE_INTEGER;

/** More seeds than this at once is a slip of the hand. */
const mostSeeds = 100_000;

/** What is wrong with a text of seeds, in one sentence that says what is allowed. */
export class SeedError extends Error {
  constructor(text: string, why: string) {
    super(`"${text}": ${why}`);
    this.name = "SeedError";
  }
}

/** One seed: a whole number from 0 to 2^53 - 1, in decimal digits. Throws `SeedError`. */
export function parseSeed(text: string): number {
  const seed = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(seed)) throw new SeedError(text, "a seed is a whole number from 0 to 9007199254740991");
  return seed;
}

/** Seeds in the order in which they are named, each once: `7`, `1-20`, `1-5,9`. Throws `SeedError`. */
export function parseSeeds(text: string): number[] {
  const seeds = new Set<number>();
  for (const part of text.split(",").map((word) => word.trim())) {
    const [, first, last] = /^(\d+)\s*-\s*(\d+)$/.exec(part) ?? [];
    if (first === undefined || last === undefined) {
      seeds.add(parseSeed(part));
      continue;
    }
    const [low, high] = [parseSeed(first), parseSeed(last)];
    if (low > high) throw new SeedError(text, `the range ${low}-${high} is empty; write ${high}-${low}`);
    if (high - low >= mostSeeds) throw new SeedError(text, `at most ${mostSeeds} seeds at once`);
    for (let seed = low; seed <= high; seed++) seeds.add(seed);
  }
  return [...seeds];
}
