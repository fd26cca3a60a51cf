import { linearRegression } from "simple-statistics";

export interface Growth {
  readonly exponent: number;
  readonly low: number;
  readonly high: number;
  readonly declared: number;
}

/**
 * How time grows with size: the slope of log(median) against log(n). The interval is that of the slopes between every two sizes, so with two sizes
 * it is a point. Null with fewer.
 */
export function fitGrowth(
  points: readonly { readonly n: number; readonly median: number }[],
  declared: number,
): Growth | null {
  if (points.length < 2) return null;
  const logs = points.map(({ n, median }) => [Math.log(n), Math.log(median)] as [number, number]);
  const slopes: number[] = [];
  for (const [i, a] of logs.entries()) for (const b of logs.slice(i + 1)) slopes.push((b[1] - a[1]) / (b[0] - a[0]));
  return { exponent: linearRegression(logs).m, low: Math.min(...slopes), high: Math.max(...slopes), declared };
}

/**
 * Room above a declared exponent. Memory bends a straight line: on the machine of CI a walk over 10 000 messages misses the cache where one over
 * 1 000 does not, which alone is worth up to 0.4 here. A rule that is quadratic by mistake is a whole 1 above.
 */
const TOLERANCE = 0.6;

/** Judged by the gentlest slope between two sizes: what grows too fast does so everywhere. */
export function growsTooFast({ low, declared }: Growth): boolean {
  return low > declared + TOLERANCE;
}
