// Counts of durations, as details have them: log-linear as k6's own, but with 16
// buckets a doubling in place of 512, so that a value is at most 3 % off.

/** Durations in microseconds. Sum, least and greatest are exact. */
export type Histogram = {
  sum_us: number;
  min_us: number;
  max_us: number;
  first: number; // index of the bucket that counts[0] is of
  counts: number[]; // one after the other, empty ones too; the last is not 0
};

export const subBits = 4;
const sub = 2 ** subBits;

/** The index of the bucket that counts a value in microseconds. */
export function bucket(us: number): number {
  const v = Math.max(0, Math.min(Math.floor(us), 2 ** 32 - 1));
  const shift = Math.max(0, Math.floor(Math.log2(Math.max(1, v))) - subBits);
  return shift * sub + Math.floor(v / 2 ** shift);
}

/** The least and the greatest value in microseconds that a bucket counts. */
export function bounds(index: number): [low: number, high: number] {
  const shift = Math.max(0, Math.floor(index / sub) - 1);
  const low = (index - shift * sub) * 2 ** shift;
  return [low, low + 2 ** shift - 1];
}

export const count = (h: Histogram): number => h.counts.reduce((sum, n) => sum + n, 0);

/** The value that a share q of the values does not exceed (nearest rank); null without values. */
export function quantileUs(h: Histogram, q: number): number | null {
  let rank = Math.max(1, Math.ceil(q * count(h)));
  for (const [i, n] of h.counts.entries()) {
    if (n < rank) {
      rank -= n;
      continue;
    }
    const [low, high] = bounds(h.first + i);
    return Math.max(h.min_us, Math.min((low + high) / 2, h.max_us));
  }
  return null;
}

/** So many values must lie beyond a quantile that is drawn: the last few are chance. */
export const beyond = 5;

/** A percentile curve: x is 1/(1-q), from the 10th percentile to where fewer than five values are left; ms is the quantile. */
export function curve(h: Histogram): { x: number; ms: number }[] {
  const n = count(h);
  const points = [];
  for (let i = 0, x = 1 / 0.9; x * beyond <= n; i++, x = 10 ** (i / 10) / 0.9) {
    // What takes no microsecond has no place on a logarithmic axis.
    points.push({ x, ms: Math.max(1, quantileUs(h, 1 - 1 / x)!) / 1000 });
  }
  return points;
}
