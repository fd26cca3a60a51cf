import { stableHash } from "../../determinism/index.ts";
import { GenerationCache } from "../generation-cache.ts";
import type { Rates, Tokenizer } from "./rates.ts";
import { textMix } from "./text-kind.ts";

/** Two 32-bit lanes of a stable hash. */
export interface Lanes {
  readonly a: number;
  readonly b: number;
}

export interface TextFacts extends Lanes {
  /** Size as a JSON string in UTF-8. */
  readonly bytes: number;
  readonly tokens: Readonly<Record<Tokenizer, number>>;
}

/** Counts and hashes texts; what was seen before costs one look-up (K1). */
export interface TextCounter {
  of(text: string): TextFacts;
  /** The hash alone: for what is not counted as text. */
  lanesOf(text: string): Lanes;
}

/** Characters of text that a counter remembers: about the content of eight full 1M-token contexts, twice that at the peak. */
const rememberedChars = 24_000_000;
/** Most of what is only hashed are ids, of which a client sends a new one with every call: so many characters each, or they would pile up for long. */
const idWeight = 1_000;

export function createTextCounter(rates: Rates): TextCounter {
  const seen = new GenerationCache<string, TextFacts>(rememberedChars);
  const hashed = new GenerationCache<string, Lanes>(rememberedChars);
  return {
    of: (text) => {
      const known = seen.get(text);
      if (known !== undefined) return known;
      const facts: TextFacts = {
        tokens: { old: tokensIn(text, rates.old), new: tokensIn(text, rates.new) },
        bytes: Buffer.byteLength(JSON.stringify(text)),
        ...lanesOf(text),
      };
      seen.set(text, facts, text.length + 100);
      return facts;
    },
    lanesOf: (text) => {
      let lanes = hashed.get(text);
      if (lanes === undefined) {
        lanes = lanesOf(text);
        hashed.set(text, lanes, text.length + idWeight);
      }
      return lanes;
    },
  };
}

/** One number (53 bits) for two lanes: names a prefix. */
export function nameOf(lanes: Lanes): number {
  return (lanes.a >>> 0) * 2_097_152 + (lanes.b >>> 11);
}

export function lanesOf(text: string): Lanes {
  const digest = stableHash(text);
  return { a: Number.parseInt(digest.slice(0, 8), 16) | 0, b: Number.parseInt(digest.slice(8), 16) | 0 };
}

function tokensIn(text: string, rates: Rates[Tokenizer]): number {
  if (text.length === 0) return 0;
  const mix = textMix(text);
  return Math.ceil(
    mix.rest / rates[mix.kind] + mix.chinese / rates.chinese + mix.japanese / rates.japanese + mix.emoji / rates.emoji,
  );
}
