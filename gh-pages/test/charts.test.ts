import { describe, expect, it } from 'vitest';
import { parse, seriesOf, serversOf, titleOf } from '../src/charts/points.ts';
import { simulate } from './fixture/history.ts';
import { chartsOf } from './fixture/pages.ts';

const h = simulate({ seed: 5, commits: 40 });
const text = `window.BENCHMARK_DATA = ${JSON.stringify(chartsOf(h))}`;

describe('the points of github-action-benchmark', () => {
  it('are read as data, and what is no such file is an error', () => {
    expect(parse(text)).toEqual(chartsOf(h).entries);
    expect(parse('window.BENCHMARK_DATA = {}')).toEqual({});
    for (const wrong of [
      '',
      '{}',
      `alert(1);${text}`,
      `${text};alert(1)`,
      text.slice(0, -9),
      'window.BENCHMARK_DATA = null',
      'window.BENCHMARK_DATA = {"entries":[1]}',
      'window.BENCHMARK_DATA = ' +
        '{"entries":{"a":[{"commit":{"id":"a","message":"","timestamp":""},"benches":[{"name":1}]}]}}',
    ]) {
      expect(() => parse(wrong), wrong.slice(0, 60)).toThrow();
    }
  });
  it('are a series each, with a gap where a commit has no such point', () => {
    const points = parse(text),
      [suite, entries] = Object.entries(points)[0]!;
    expect(serversOf(points, 'relay')).toEqual(
      [...new Set(h.servers.map((s) => `relay/${s.name}`))].sort(),
    );
    expect(serversOf(points, 'web')).toEqual([]);
    const series = seriesOf(entries, 'relay/go-gin');
    expect(series.length).toBeGreaterThan(3);
    for (const s of series)
      s.values.forEach((v, i) =>
        expect(v, `${suite} ${s.name} ${i}`).toBe(
          entries[i]!.benches.find((b) => b.name === s.name)?.value ?? null,
        ),
      );
    expect(
      series.some((s) => s.values.includes(null)),
      'an epoch ends among them',
    ).toBe(true);
    expect(titleOf('relay/go-gin stress-200 over direct, epoch 3f9a1c')).toBe(
      'stress-200 over direct, epoch 3f9a1c',
    );
    expect(seriesOf(entries, 'go')).toEqual([]);
  });
});
