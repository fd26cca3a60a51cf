import seedrandom from "seedrandom";

/**
 * A named random stream. Forking by name never moves another stream (D3): the child's numbers depend on the path of names only.
 * Draws are in [0, 1). Source: seedrandom's Alea, which uses integer arithmetic and gives the same bits on every Node.
 */
export interface Rng {
  readonly path: string;
  /** A stream of its own for what `names` say the draw is for. */
  fork(...names: readonly (string | number)[]): Rng;
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [low, high], both included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** An item by weight; the weights need not sum to 1. */
  weighted<T>(items: readonly (readonly [T, number])[]): T;
  /** Standard normal, by summing uniforms (Irwin-Hall of 12): no transcendental function, so no engine can differ. */
  normal(): number;
  /** exp(mu + sigma × normal), rounded to 1e-6. */
  lognormal(mu: number, sigma: number): number;
  /** A lower-case hexadecimal string of `length` digits. */
  hex(length: number): string;
  /** An RFC 4122 shaped identifier (version 4 form) drawn from this stream. */
  uuid(): string;
}

/** The root stream of a run. The same seed gives the same numbers in every process. */
export function createRng(seed: string | number): Rng {
  return new Stream(String(seed));
}

/** A class, because a run makes some twenty streams for each round: closures of their own would cost more than the draws. */
class Stream implements Rng {
  readonly path: string;
  /** Made at the first draw: most forks only fork again. */
  #generator: (() => number) | undefined;

  constructor(path: string) {
    this.path = path;
  }

  fork(...names: readonly (string | number)[]): Rng {
    return new Stream(`${this.path}/${names.join("/")}`);
  }

  next(): number {
    this.#generator ??= seedrandom.alea(this.path);
    return this.#generator();
  }

  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("pick needs at least one item");
    return items[Math.floor(this.next() * items.length)] as T;
  }

  weighted<T>(items: readonly (readonly [T, number])[]): T {
    return pickWeighted(items, this.next());
  }

  normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.next();
    return sum;
  }

  lognormal(mu: number, sigma: number): number {
    return Math.round(Math.exp(mu + sigma * this.normal()) * 1e6) / 1e6;
  }

  hex(length: number): string {
    let digits = "";
    while (digits.length < length)
      digits += Math.floor(this.next() * 0x10000000)
        .toString(16)
        .padStart(7, "0");
    return digits.slice(0, length);
  }

  uuid(): string {
    const h = this.hex(32);
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20, 32)}`;
  }
}

function pickWeighted<T>(items: readonly (readonly [T, number])[], draw: number): T {
  let total = 0;
  for (const [, weight] of items) total += weight;
  let left = draw * total;
  for (const [item, weight] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  const last = items.at(-1);
  if (last === undefined) throw new RangeError("weighted needs at least one item");
  return last[0];
}
