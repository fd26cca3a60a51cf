/** Points of a measured distribution, as calibration.json has them. */
export interface Quantiles {
  readonly p10: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * The value at `u` in [0, 1) of a distribution that passes through all the measured points, nearly straight on a logarithmic scale between them.
 * Only + - × / and the square root are used, which IEEE 754 rounds exactly, so every engine gives the same bits (D3).
 */
export function valueAt(quantiles: Quantiles, u: number): number {
  const { p10, p25, p50, p75, p90, p99, max } = quantiles;
  const lowest = Math.max(p10 / 2, (p10 * p10) / Math.max(p25, p10));
  if (u < 0.1) return between(lowest, p10, u / 0.1);
  if (u < 0.25) return between(p10, p25, (u - 0.1) / 0.15);
  if (u < 0.5) return between(p25, p50, (u - 0.25) / 0.25);
  if (u < 0.75) return between(p50, p75, (u - 0.5) / 0.25);
  if (u < 0.9) return between(p75, p90, (u - 0.75) / 0.15);
  if (u < 0.99) return between(p90, p99, (u - 0.9) / 0.09);
  return between(p99, max, (u - 0.99) / 0.01);
}

/** Halvings of a stretch by its geometric mean before the rest is taken as straight. */
const halvings = 4;

function between(low: number, high: number, share: number): number {
  let [from, to, rest] = [low, high, share];
  for (let i = 0; i < halvings && from > 0; i++) {
    const middle = Math.sqrt(from * to);
    if (rest < 0.5) [to, rest] = [middle, rest * 2];
    else [from, rest] = [middle, rest * 2 - 1];
  }
  return from + (to - from) * rest;
}
