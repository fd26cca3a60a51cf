import fc from "fast-check";
import { expect, test } from "vitest";
import { maxSeed, parseSeed, parseSeeds } from "./seeds.ts";

test("Y1: seeds are read in the order in which they are named, each once", () => {
  expect(parseSeeds("1-5")).toEqual([1, 2, 3, 4, 5]);
  expect(parseSeeds("9, 1-3, 2")).toEqual([9, 1, 2, 3]);
});

test.each(["abc", "", "-1", "1.5", "1e3", "0x10", "9007199254740992", "1-", "5-1", "0-100000"])(
  "Y7: --seed(s) %s is refused",
  (text) => {
    expect(() => parseSeeds(text)).toThrow(`"${text}": `);
  },
);

test("every whole number from 0 to the largest seed is one", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (seed) => {
      expect(parseSeed(String(seed))).toBe(seed);
    }),
  );
  expect(parseSeed(String(maxSeed))).toBe(maxSeed);
});
