import type { Rng } from "../determinism/index.ts";

/** Codes by which a scan finds facts: six signs, letter and digit in turn (`k3f9x2`), or five digits for a value. Unique within a session. */
export interface FactCodes {
  word(): string;
  number(): string;
  /** The code with one digit changed, no other fact's code: what a careless summary makes of it. */
  blur(code: string): string;
}

/** Finds every possible code: upper or lower case words, and the digits of a `NAME=12345`. */
export const codePattern: RegExp = /=\d{5}(?!\d)|[A-Za-z]\d[A-Za-z]\d[A-Za-z]\d/g;

/** Without i, l and o, which are read as digits. */
const letters = "abcdefghjkmnpqrstuvwxyz";

export function createFactCodes(rng: Rng): FactCodes {
  const taken = new Set<string>();
  const unique = (draw: () => string): string => {
    for (;;) {
      const code = draw();
      if (taken.has(code)) continue;
      taken.add(code);
      return code;
    }
  };
  const pair = (): string => `${letters.charAt(rng.integer(0, letters.length - 1))}${rng.integer(0, 9)}`;
  return {
    word: () => unique(() => pair() + pair() + pair()),
    number: () => unique(() => String(rng.integer(10_000, 99_999))),
    blur: (code) =>
      unique(() => {
        const at = code.length === 5 ? rng.integer(1, 4) : 2 * rng.integer(0, 2) + 1;
        const digit = (Number(code.charAt(at)) + rng.integer(1, 9)) % 10;
        return code.slice(0, at) + String(digit) + code.slice(at + 1);
      }),
  };
}
