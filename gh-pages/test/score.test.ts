import { describe, expect, it } from 'vitest';
import { axes, version } from '../src/scores/axes';
import { score, scoresOf, type Figure, type Figures } from '../src/scores/score';

const axis = (id: string) => axes.find((a) => a.id === id)!;

describe('score v2', () => {
  it('is frozen', () => {
    // These are quoted elsewhere: what changes one of them is version 3.
    expect(version).toBe(2);
    const quoted: [string, number, number][] = [
      ['throughput', 7104, 50], ['throughput', 71040, 100], ['throughput', 710.4, 0], ['throughput', 8473, 53.827],
      ['cpu', 1049, 50], ['cpu', 447, 68.523], ['cpu', 104900, 0],
      ['first-token', 0.86, 100], ['first-token', 0.3, 100], ['first-token', 8.6, 66.667], ['first-token', 1.54, 91.566],
      ['stream', 26.7, 100], ['stream', 39.7, 94.257], ['gap', 2.9655, 100], ['gap', 2965.5, 0],
      ['memory', 32.6e6, 50], ['memory', 18e6, 62.897], ['memory', 64.4e6, 35.217],
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
    const s = scoresOf(figures({ 'stress-200 rate_per_s': [71040, 71040, 71040], 'steady server_cpu_us_per_stream': [1049, 1049, 1049] }));
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
