import { describe, expect, it } from 'vitest';
import { axes, version } from '../src/scores/axes';
import { score, scoresOf, type Figure, type Figures } from '../src/scores/score';

const axis = (id: string) => axes.find((a) => a.id === id)!;

describe('score v1', () => {
  it('is frozen', () => {
    // These are quoted elsewhere: what changes one of them is version 2.
    expect(version).toBe(1);
    const quoted: [string, number, number][] = [
      ['throughput', 7981.126, 50], ['throughput', 79811.26, 100], ['throughput', 798.1126, 0], ['throughput', 8473, 51.299],
      ['cpu', 501.9015, 50], ['cpu', 243.4637, 65.711], ['cpu', 50190.15, 0],
      ['first-token', 0.605, 100], ['first-token', 0.3, 100], ['first-token', 6.05, 66.667], ['first-token', 1.009, 92.595],
      ['stream', 23.0875, 100], ['stream', 38.6235, 92.549], ['gap', 2.9655, 100], ['gap', 2965.5, 0],
      ['memory', 32681980, 50], ['memory', 21483520, 59.11], ['memory', 63938560, 35.428],
    ];
    for (const [id, value, want] of quoted) expect(score(axis(id), value), `${id} ${value}`).toBeCloseTo(want, 2);
  });

  it('gives no score for what was not measured', () => {
    for (const none of [null, NaN, Infinity, -1]) expect(score(axis('cpu'), none)).toBeNull();
  });

  it('ends at 0 and 100', () => {
    expect(score(axis('throughput'), 0)).toBe(0);
    expect(score(axis('first-token'), 0)).toBe(100);
  });
});

describe('scores of a server', () => {
  const figures = (by: Record<string, Figure>): Figures => (scenario, metric) => by[`${scenario} ${metric}`];

  it('leaves out of the mean what was not run', () => {
    const s = scoresOf(figures({ 'stress-200 rate_per_s': [79811.26, 79811.26, 79811.26], 'steady server_cpu_us_per_stream': [501.9015, 501.9015, 501.9015] }));
    expect(s.count).toBe(2);
    expect(s.mean).toBeCloseTo(75);
    expect(s.by.find((a) => a.axis.id === 'memory')!.score).toBeNull();
    expect(scoresOf(() => undefined)).toMatchObject({ count: 0, mean: null });
  });

  it('carries the rounds, the worst below', () => {
    const s = scoresOf(figures({ 'steady server_cpu_us_per_stream': [500, 400, 600] }));
    const cpu = s.by.find((a) => a.axis.id === 'cpu')!;
    expect(cpu.low).toBe(score(cpu.axis, 600));
    expect(cpu.high).toBe(score(cpu.axis, 400));
    expect(cpu.low!).toBeLessThan(cpu.score!);
  });
});
