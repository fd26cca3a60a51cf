import fc from "fast-check";
import { expect, test } from "vitest";
import { createRng } from "./index.ts";

test("D3: the same seed and path give the same numbers, frozen", () => {
  const rng = createRng(7).fork("faults", "main", 3);
  expect([rng.integer(0, 999), rng.integer(0, 999), rng.hex(8), rng.uuid()]).toMatchInlineSnapshot(`
    [
      477,
      478,
      "fd6f4172",
      "a14311c6-e663-4cd8-ae89-f6c6b16941f7",
    ]
  `);
});

test("D3: a draw from one stream never moves another", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
      fc.nat(5),
      (seed, names, extra) => {
        const quiet = createRng(seed);
        const busy = createRng(seed);
        for (let i = 0; i < extra; i++) {
          busy.next();
          busy.fork("another", i).next();
        }
        expect(busy.fork(...names).next()).toBe(quiet.fork(...names).next());
      },
    ),
  );
});

test("integers stay within their bounds and reach both", () => {
  const rng = createRng("bounds");
  const seen = new Set(Array.from({ length: 200 }, () => rng.integer(-1, 2)));
  expect([...seen].sort()).toEqual([-1, 0, 1, 2]);
});

test("normal draws have mean 0 and variance 1", () => {
  const rng = createRng("normal");
  const draws = Array.from({ length: 20_000 }, () => rng.normal());
  const mean = draws.reduce((a, b) => a + b, 0) / draws.length;
  const variance = draws.reduce((a, b) => a + (b - mean) * (b - mean), 0) / draws.length;
  expect(mean).toBeCloseTo(0, 1);
  expect(variance).toBeCloseTo(1, 1);
});

test("weights decide the share of each item", () => {
  const rng = createRng("weights");
  const draws = Array.from({ length: 10_000 }, () =>
    rng.weighted([
      ["a", 3],
      ["b", 1],
      ["never", 0],
    ]),
  );
  expect(draws.filter((item) => item === "a").length / draws.length).toBeCloseTo(0.75, 1);
  expect(draws).not.toContain("never");
});

test("nothing to choose from is an error, not undefined", () => {
  expect(() => createRng(1).pick([])).toThrow(RangeError);
  expect(() => createRng(1).weighted([])).toThrow(RangeError);
});
