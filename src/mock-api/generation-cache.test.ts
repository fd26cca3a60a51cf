import { expect, test } from "vitest";
import { GenerationCache } from "./generation-cache.ts";

test("a generation cache holds the latest by weight, and never more than twice its limit", () => {
  const cache = new GenerationCache<number, string>(100);
  for (let n = 0; n < 10_000; n++) {
    cache.set(n, "x", 10);
    expect(cache.size).toBeLessThanOrEqual(2 * 11);
  }
  expect(cache.get(9_999)).toBe("x");
  expect(cache.get(9_992)).toBe("x");
  expect(cache.get(9_900)).toBeUndefined();
});

test("what is read stays", () => {
  const cache = new GenerationCache<number, string>(10);
  cache.set(-1, "kept");
  for (let n = 0; n < 1_000; n++) {
    cache.set(n, "x");
    expect(cache.get(-1)).toBe("kept");
  }
});

test("what is read again weighs what it weighed", () => {
  const cache = new GenerationCache<number, string>(100);
  for (let n = 0; n < 200; n++) {
    cache.set(n, "x", 10);
    for (let before = 0; before < n; before++) cache.get(before);
    expect(cache.size).toBeLessThanOrEqual(2 * 11);
  }
});
