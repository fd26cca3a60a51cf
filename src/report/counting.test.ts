import fc from "fast-check";
import { expect, test } from "vitest";
import { groupBy, quantile, tally, thin } from "./counting.ts";

test("R1: thinning keeps the first, the last and the peak, in order, and is not more than asked", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 1, maxLength: 500 }),
      fc.integer({ min: 3, max: 60 }),
      (values, atMost) => {
        const items = values.map((value, place) => ({ value, place }));
        const kept = thin(items, atMost, (item) => item.value);
        expect(kept.length).toBeLessThanOrEqual(Math.max(atMost, 1));
        expect(kept[0]).toBe(items[0]);
        expect(kept.at(-1)).toBe(items.at(-1));
        expect(Math.max(...kept.map((item) => item.value))).toBe(Math.max(...values));
        expect(kept.map((item) => item.place)).toEqual([...kept.map((item) => item.place)].sort((a, b) => a - b));
      },
    ),
  );
});

test("a list that is short enough is not touched", () => {
  const items = [1, 2, 3];
  expect(thin(items, 3, (item) => item)).toBe(items);
});

test("a quantile is one of the values, by nearest rank", () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2);
  expect(quantile([4, 1, 3, 2], 0.95)).toBe(4);
  expect(quantile([], 0.5)).toBe(null);
});

test("groups and tallies stand in the order of first occurrence", () => {
  expect([...groupBy(["b1", "a1", "b2"], (item) => item.charAt(0))]).toEqual([
    ["b", ["b1", "b2"]],
    ["a", ["a1"]],
  ]);
  expect([...tally(["x", "y", "x"], (item) => item)]).toEqual([
    ["x", 2],
    ["y", 1],
  ]);
});
