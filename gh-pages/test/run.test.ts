import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { figureOf, readRun } from '../src/data/run.ts';

/** Records of a run that ran, as the tests of records have them. */
const lines = readFileSync(
  new URL('../../scripts/internal/judge/record/testdata/mixed.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n');

describe('a run', () => {
  it('names a line that cannot be read, and keeps the rest', () => {
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
    const rows = [{ target: 'a', scenario: 's', cells: [[2, 1, 4, 3], null] }];
    const head = JSON.stringify({ figures: 1, metrics: ['x', 'y'], rows });
    const { figures } = readRun([head, ...lines].join('\n'));
    expect(figureOf(figures, 'a', 's', 'x')).toEqual({ mean: 2, low: 1, high: 4, rounds: 3 });
    for (const [target, metric] of [
      ['a', 'y'],
      ['a', 'z'],
      ['b', 'x'],
    ] as const)
      expect(figureOf(figures, target, 's', metric)).toBeNull();
  });
});
