import { describe, expect, it } from 'vitest';
import { loaded, seconds, turns, type Loading } from '../src/data/details';
import { bounds, bucket, count, curve, quantileUs, type Histogram } from '../src/data/histogram';

const stress: Loading = {
  scenario: 'stress', round: 1, target: '', plateaus: ['warm-up', '10', '100'], targets: ['direct', 'go-http'],
  turns: [[0, 0, 1000, 0, 4000], [0, 1001, 900, 1, 4100], [1, 2000, 500, 1, 480], [1, 2505, 500, 0, 486], [2, 3010, 500, 1, 4600], [2, 3520, 480, 1, 4610]],
  timelines: [{ process: 'k6', first: 1, cpu_pct: [50, null, 60, 70, 80], rss_kib: [1000, null, 1100, 1100, 1200] }],
};

describe('turns', () => {
  it('have names and seconds', () => {
    expect(turns(stress)[2]).toEqual({ plateau: '10', begin_s: 2, end_s: 2.5, rates: [{ target: 'go-http', per_s: 480 }] });
  });
  it('that fit no list are an error', () => {
    expect(() => turns({ ...stress, turns: [[7, 0, 1]] })).toThrow(/stress round 1: turn 0/);
    expect(() => turns({ ...stress, turns: [[1, 0, 1, 5, 480]] })).toThrow(/target 5 of 2/);
    expect(() => turns({ ...stress, turns: [[1, 0, 1, 1]] })).toThrow(/turn 0/);
  });
  it('are shaded without the warm-up, neighbours as one', () => {
    expect(loaded(turns(stress), 'go-http')).toEqual([{ from: 2, to: 2.5 }, { from: 3.01, to: 4 }]);
    expect(loaded(turns(stress), 'stub')).toEqual([{ from: 2, to: 4 }]);
  });
  it('and samples end somewhere', () => {
    expect(seconds(stress)).toBe(5);
    expect(seconds({ ...stress, turns: [], timelines: [] })).toBe(0);
  });
});

describe('histogram', () => {
  it('has buckets that hold what they count', () => {
    for (const us of [0, 1, 127, 128, 129, 255, 256, 1000, 22351, 1e6, 4e9]) {
      const [low, high] = bounds(bucket(us));
      expect(low <= us && us <= high, `${us} in ${low} to ${high}`).toBe(true);
      expect(high - low).toBeLessThanOrEqual(us / 16);
    }
    let next = 0; // without holes
    for (let i = 0; i < 1000; i++) {
      const [low, high] = bounds(i);
      expect(low).toBe(next);
      next = high + 1;
    }
  });

  const values = Array.from({ length: 1000 }, (_, i) => 20000 + 10 * i);
  const first = bucket(20000);
  const h: Histogram = { sum_us: values.reduce((a, b) => a + b), min_us: 20000, max_us: 29990, first, counts: [] };
  for (const v of values) {
    const at = bucket(v) - first;
    while (h.counts.length <= at) h.counts.push(0);
    h.counts[at]!++;
  }

  it('knows quantiles within a thirty-second', () => {
    expect(count(h)).toBe(1000);
    for (const q of [0.01, 0.5, 0.95, 0.999]) {
      const exact = values[Math.ceil(q * 1000) - 1]!;
      expect(Math.abs(quantileUs(h, q)! / exact - 1)).toBeLessThan(1 / 32);
    }
    expect(quantileUs({ ...h, counts: [] }, 0.5)).toBeNull();
  });

  it('draws no quantile beyond which fewer than five values lie', () => {
    const points = curve(h);
    expect(points[0]!.x).toBeCloseTo(1 / 0.9);
    expect(1000 / points.at(-1)!.x).toBeGreaterThanOrEqual(5);
    expect(points.every((p, i) => i === 0 || p.ms >= points[i - 1]!.ms)).toBe(true);
    expect(curve({ ...h, counts: [3] })).toEqual([]);
  });
});
