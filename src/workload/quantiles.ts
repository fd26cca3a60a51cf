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

/** Ranks in [0, 1] and the values there, both ascending, from rank 0 to rank 1. */
export type RankedPoints = readonly (readonly [rank: number, value: number])[];

/** The points of measured quantiles. Below p10 the stretch from p10 to p25 is mirrored, to half of p10 at most. */
export function pointsOf({ p10, p25, p50, p75, p90, p99, max }: Quantiles): RankedPoints {
  const lowest = Math.max(p10 / 2, (p10 * p10) / Math.max(p25, p10));
  return [
    [0, lowest],
    [0.1, p10],
    [0.25, p25],
    [0.5, p50],
    [0.75, p75],
    [0.9, p90],
    [0.99, p99],
    [1, max],
  ];
}

export function valueAt(quantiles: Quantiles, u: number): number {
  return valueAtRank(pointsOf(quantiles), u);
}

/**
 * The value at `u` in [0, 1) of a distribution that passes through all the points, nearly straight on a logarithmic scale between them.
 * Only + - × / and the square root are used, which IEEE 754 rounds exactly, so every engine gives the same bits (D3).
 */
export function valueAtRank(points: RankedPoints, u: number): number {
  const at = Math.max(
    1,
    points.findIndex(([rank]) => u < rank),
  );
  const [from, to] = [points[at - 1] ?? [0, 0], points[at] ?? [1, 0]];
  return between(from[1], to[1], (u - from[0]) / (to[0] - from[0]));
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
