import fc from "fast-check";
import { expect, test } from "vitest";
import { calibration } from "./calibration.ts";
import { valueAt } from "./quantiles.ts";

const tables = [...Object.values(calibration.toolResultChars), calibration.textChars, calibration.idleGapSeconds];

test("a distribution passes through all measured points", () => {
  for (const figures of tables) {
    for (const [u, value] of [
      [0.1, figures.p10],
      [0.25, figures.p25],
      [0.5, figures.p50],
      [0.9, figures.p90],
      [0.99, figures.p99],
    ] as const) {
      expect(valueAt(figures, u)).toBeCloseTo(value, 6);
    }
  }
});

test("values grow with their rank and stay below the measured maximum", () => {
  const rank = fc.double({ min: 0, max: 0.999_999, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...tables), rank, rank, (figures, a, b) => {
      const [low, high] = [valueAt(figures, Math.min(a, b)), valueAt(figures, Math.max(a, b))];
      expect(low).toBeLessThanOrEqual(high + 1e-9);
      expect(high).toBeLessThanOrEqual(figures.max + 1e-9);
      expect(low).toBeGreaterThan(0);
    }),
  );
});
