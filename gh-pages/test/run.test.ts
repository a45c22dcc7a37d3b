import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Series } from '../src/data/form.ts';
import { figureOf, readRun } from '../src/data/run.ts';
import { fixture } from './fixture/files.ts';

const f = fixture({ seed: 5, commits: 80, scenarios: ['stress-100'], raw: 2 });
const text = gunzipSync(
  f.files.get(`runs/${f.history.run[78]!}.jsonl.gz`) as Uint8Array,
).toString();

describe('a run', () => {
  it('gives the same points as the trend', () => {
    const { figures, broken } = readRun(text);
    expect(broken).toEqual([]);
    const series = f.json<Series>(f.manifest.series['stress-100/rate_per_s']!);
    for (const server of f.manifest.servers) {
      const p = figureOf(figures, server.name, 'stress-100', 'rate_per_s');
      const m = series.servers[server.name]?.m[78] ?? null;
      if (m === null) expect(p).toBeNull();
      else expect(Math.abs(p!.mean - m)).toBeLessThanOrEqual(0.0006 * p!.mean); // four digits are kept
    }
  });
  it('names a line that cannot be read, and keeps the rest', () => {
    const lines = text.trimEnd().split('\n').slice(1); // behind the figures
    const got = readRun(
      [lines[0]!, lines[1]!.slice(0, 100), lines[2]!.replace('"schema":7', '"schema":8'), ''].join(
        '\n',
      ),
    );
    expect(got.records.length).toBe(1);
    expect(got.broken).toHaveLength(2);
    expect(got.broken[0]).toMatch(/^line 2: /);
    expect(got.broken[1]).toBe('line 3: schema 8; this page reads schema 7');
  });
  it('takes its figures from the file alone, whatever the rounds are', () => {
    const rows = [
      {
        target: 'a',
        scenario: 's',
        cells: [[2, 1, 4, 3] as [number, number, number, number], null],
      },
    ];
    const run = readRun(
      [
        JSON.stringify({ figures: 1, metrics: ['x', 'y'], rows }),
        ...text.trimEnd().split('\n').slice(1),
      ].join('\n'),
    ).figures;
    expect(figureOf(run, 'a', 's', 'x')).toEqual({ mean: 2, low: 1, high: 4, rounds: 3 });
    for (const [target, metric] of [
      ['a', 'y'],
      ['a', 'z'],
      ['b', 'x'],
    ] as const)
      expect(figureOf(run, target, 's', metric)).toBeNull();
  });
});
