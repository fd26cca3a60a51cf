import { InvalidArgumentError } from "commander";
import { parseSeed, parseSeeds, SeedError } from "../scenario/index.ts";

/** `--seed N` */
export function seedOption(text: string): number[] {
  return asArgument(() => [parseSeed(text)]);
}

/** `--seeds 1-5,9` */
export function seedsOption(text: string): number[] {
  return asArgument(() => parseSeeds(text));
}

/** A whole number from `low` to `high`. */
export function wholeOption(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= low && value <= high))
      throw new InvalidArgumentError(`Allowed is a whole number from ${low} to ${high}.`);
    return value;
  };
}

function asArgument<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SeedError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}
