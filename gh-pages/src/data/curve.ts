// Distributions of durations, as in details: quantiles by buckets of 16 per doubling. A value is
// at most 3 % off (scripts/internal/judge/record/curve.go).

/**
 * Count, mean, least and greatest in microseconds, and then for each of levels(count)
 * the bucket of the quantile, as the difference to the one before.
 */
export type Curve = number[];

const sub = 16;
const before = 4;

/** The least and the greatest value in microseconds that a bucket holds. */
export function bounds(index: number): [low: number, high: number] {
  const shift = Math.max(0, Math.floor(index / sub) - 1);
  const low = (index - shift * sub) * 2 ** shift;
  return [low, low + 2 ** shift - 1];
}

export const count = (c: Curve): number => c[0]!;
export const meanUs = (c: Curve): number => c[1]!;
export const maxUs = (c: Curve): number => c[3]!;

const renard = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8];
const beyond = 5; // values that must lie beyond a quantile, since the last few are chance
const rare = 20; // from here on every third level is enough: few values are further out

/** The quantiles q of a curve with this many values, as x = 1/(1-q). */
export function levels(n: number): number[] {
  const all = [];
  for (let i = 1; ; i++) {
    const x = renard[i % renard.length]! * 10 ** Math.floor(i / renard.length);
    if (x * beyond > n) return all;
    if (i <= rare || [0, 3, 7].includes(i % renard.length)) all.push(x);
  }
}

/** A percentile curve: x is 1/(1-q), ms is the quantile. */
export function curve(c: Curve): { x: number; ms: number }[] {
  let at = 0;
  return levels(count(c)).map((x, i) => {
    const [low, high] = bounds((at += c[before + i]!));
    // What takes no microsecond has no place on a logarithmic axis.
    return { x, ms: Math.max(1, c[2]!, Math.min((low + high) / 2, maxUs(c))) / 1000 };
  });
}

/** The quantile where one of x values lies beyond, in microseconds; null where too few do. */
export function quantileUs(c: Curve, x: number): number | null {
  const point = curve(c).find((p) => p.x === x);
  return point === undefined ? null : point.ms * 1000;
}
