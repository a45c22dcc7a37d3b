import { describe, expect, it } from 'vitest';
import type { K6Run } from '../src/data/types.ts';
import { loaded, seconds, slices } from '../src/data/details';
import { bounds, count, curve, levels, maxUs, meanUs, quantileUs } from '../src/data/curve';

/** The curve of some values, as Go makes it. */
function curveOf(values: number[]): number[] {
  const us = values.toSorted((a, b) => a - b);
  const bucket = (v: number): number => {
    const shift = Math.max(0, Math.floor(Math.log2(Math.max(1, v))) - 4);
    return shift * 16 + Math.floor(v / 2 ** shift);
  };
  const at = levels(us.length).map((x) => bucket(us[Math.ceil((1 - 1 / x) * us.length) - 1]!));
  return [
    us.length,
    Math.round(us.reduce((a, b) => a + b, 0) / us.length),
    us[0]!,
    us.at(-1)!,
    ...at.map((b, i) => b - (at[i - 1] ?? 0)),
  ];
}

const stress: K6Run = {
  scenario: 'stress',
  round: 1,
  target: '',
  levels: ['warm-up', '10', '100'],
  targets: ['direct', 'go-http'],
  slices: [
    [0, 0, 1000, 0, 4000],
    [0, 1, 900, 1, 4100],
    [1, 99, 500, 1, 480],
    [1, 5, 500, 0, 486],
    [2, 5, 500, 1, 4600],
    [2, 10, 480, 1, 4610],
  ],
  timelines: [
    {
      process: 'k6',
      first: 1,
      cpu_pct: [50, null, 60, 70, 80],
      rss_kib: [1000, null, 1100, 1100, 1200],
    },
  ],
};

describe('slices', () => {
  it('have names and seconds', () => {
    expect(slices(stress)[2]).toEqual({
      level: 'stress-10',
      begin_s: 2,
      end_s: 2.5,
      rates: [{ target: 'go-http', per_s: 480 }],
    });
  });
  it('that fit no list are an error', () => {
    expect(() => slices({ ...stress, slices: [[7, 0, 1]] })).toThrow(/stress round 1: slice 0/);
    expect(() => slices({ ...stress, slices: [[1, 0, 1, 5, 480]] })).toThrow(/target 5 of 2/);
    expect(() => slices({ ...stress, slices: [[1, 0, 1, 1]] })).toThrow(/slice 0/);
  });
  it('are shaded without the warm-up, neighbours as one', () => {
    expect(loaded(slices(stress), 'go-http')).toEqual([
      { from: 2, to: 2.5 },
      { from: 3.01, to: 4 },
    ]);
    expect(loaded(slices(stress), 'stub')).toEqual([{ from: 2, to: 4 }]);
  });
  it('and samples end somewhere', () => {
    expect(seconds(stress)).toBe(5);
    expect(seconds({ ...stress, slices: [], timelines: [] })).toBe(0);
  });
});

describe('a curve', () => {
  it('has buckets without holes, that are narrow', () => {
    let next = 0;
    for (let i = 0; i < 464; i++) {
      const [low, high] = bounds(i);
      expect(low).toBe(next);
      expect(high - low).toBeLessThanOrEqual(low / 16);
      next = high + 1;
    }
  });

  const values = Array.from({ length: 1000 }, (_, i) => 20000 + 10 * i);
  const c = curveOf(values);

  it('knows quantiles within a thirty-second', () => {
    expect([count(c), meanUs(c), maxUs(c)]).toEqual([1000, 24995, 29990]);
    for (const x of [2, 10, 20, 100]) {
      const exact = values[Math.ceil((1 - 1 / x) * 1000) - 1]!;
      expect(Math.abs(quantileUs(c, x)! / exact - 1)).toBeLessThan(1 / 32);
    }
  });

  it('has no quantile beyond which fewer than five values lie', () => {
    const points = curve(c);
    // as in scripts/internal/judge/record
    expect([points.length, points[0]!.x, points.at(-1)!.x]).toEqual([21, 1.25, 200]);
    expect(quantileUs(c, 1000)).toBeNull();
    expect(points.every((p, i) => i === 0 || p.ms >= points[i - 1]!.ms)).toBe(true);
    expect(curve(curveOf([1, 2, 3]))).toEqual([]);
  });
});
