import fc from "fast-check";
import { expect, test } from "vitest";
import { cutEnd, cutMiddle, fairCap } from "./cut-text.ts";

const text = fc.string({ unit: "grapheme", maxLength: 200 });
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

test("a text that fits is the same; one that does not keeps its ends, within the limit, with no half character", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 150 }), (whole, maxChars) => {
      for (const cut of [cutMiddle(whole, maxChars, "[…]"), cutEnd(whole, maxChars, "[…]")]) {
        if (whole.length <= maxChars) expect(cut).toBe(whole);
        else {
          const [head, tail] = cut.split("[…]");
          expect(cut.length).toBeLessThanOrEqual(maxChars);
          expect(whole.startsWith(head ?? "?") && whole.endsWith(tail ?? "?")).toBe(true);
          expect(loneSurrogate.test(cut)).toBe(false);
        }
      }
    }),
  );
  expect(cutMiddle("abcdefghij", 10, "…")).toBe("abcdefghij");
  expect(cutEnd("abcdefghij", 10, "…")).toBe("abcdefghij");
  expect(cutMiddle("abcdefghij", 7, "…")).toBe("abcd…ij");
  expect(cutEnd("abcdefghij", 7, "…")).toBe("abcdef…");
  expect(cutEnd("ab😀cd", 4, "…")).toBe("ab…");
});

test("the fair cap fills the budget and never passes it", () => {
  expect(fairCap([10, 100, 100], 110)).toBe(50);
  expect(fairCap([10, 20], 30)).toBe(Number.POSITIVE_INFINITY);
  expect(fairCap([5, 5], -1)).toBe(0);
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 20 }), fc.nat(5_000), (sizes, budget) => {
      const cap = fairCap(sizes, budget);
      const sum = (at: number): number => sizes.reduce((total, size) => total + Math.min(size, at), 0);
      expect(sum(cap)).toBeLessThanOrEqual(budget);
      if (cap !== Number.POSITIVE_INFINITY) expect(sum(cap + 1)).toBeGreaterThan(budget - sizes.length);
    }),
  );
});
