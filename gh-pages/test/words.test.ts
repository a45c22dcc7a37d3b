import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  added,
  against,
  count,
  exact,
  exactly,
  interval,
  listed,
  percent,
  share,
  three,
  value,
} from '../src/words/numbers.ts';
import { actionsLink, commitLink, cut, web } from '../src/words/text.ts';
import { farthest, shape } from '../src/comparison/effects.tsx';
import { covers, directionOfChange, markOf, seriesOf, verdictWords } from '../src/words/verdict.ts';

const sized = {
  scenario: 'stress',
  metric: 'rate_per_s',
  verdict: 'no large change' as const,
  base: 4000,
  head: 3950,
  change: -0.0125,
  low: -0.042,
  high: 0.017,
  rounds: 24,
};

it('names the size that a verdict excludes', () => {
  expect(verdictWords(sized)).toBe('no change of 4.2\u202f% or more');
  expect(verdictWords({ ...sized, verdict: 'inconclusive' })).toBe(
    'inconclusive: up to 4.2\u202f% is possible',
  );
});

const bytes = { unit: 'bytes', scale: 1e-6 };

describe('numbers', () => {
  it.each([
    [0, '0'],
    [4.2, '4.20'],
    [0.0123456, '0.0123'],
    [12345, '12,300'],
    [-0.5, '−0.500'],
    [999.9, '1,000'],
    [0.9999, '1.00'],
    [99.96, '100'],
    [1e-9, '1.00e−9'],
    [1234567, '1,230,000'],
    [NaN, 'unknown'],
  ])('%d is %s', (v, want) => expect(three(v)).toBe(want));
  it('keeps three digits of anything', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (v) => {
        const back = Number(three(v).replaceAll(',', ''));
        expect(Math.abs(back / v - 1)).toBeLessThanOrEqual(0.005 + 1e-9);
      }),
    );
  });
  it('signs every change', () => {
    expect(
      [
        percent(0.124),
        percent(-0.003),
        percent(0),
        percent(0.000352),
        percent(-0.00001),
        percent(12.345),
        share(0.000352),
      ].map((t) => t.replace('\u202f', ' ')),
    ).toEqual(['+12.4 %', '−0.3 %', '0 %', '+0.04 %', '0 %', '+1,235 %', '0.04 %']);
    expect(interval(-0.01, 0.02).replaceAll('\u202f', ' ')).toBe('[−1.0 %, +2.0 %]');
    expect(added(2e6, bytes).replace('\u202f', ' ')).toBe('+2.00 MB');
  });
  it('has no digits that are far under the noise, and no noise that is added', () => {
    const said = (v: number, noise: number) =>
      against(v, noise, { unit: 'ms overhead', scale: 1 }).join(' ± ').replaceAll('\u202f', ' ');
    expect([
      said(-0.0015, 0.197),
      said(0.3, 0.1),
      said(-1234.5, 150),
      said(0.05, 0.0995),
      said(1, 0),
    ]).toEqual([
      '0.00 ms ± 0.20 ms',
      '+0.30 ms ± 0.10 ms',
      '−1,235 ms ± 150 ms',
      '+0.05 ms ± 0.10 ms',
      '+1.00 ms ± 0 ms',
    ]);
  });
  it('calls a thing by one name', () => {
    const units = (unit: string) =>
      [value(1, { unit, scale: 1 }), exactly(1, { unit })].map((t) => t.replace('\u202f', ' '));
    expect([units('streams/s'), units('us')]).toEqual([
      ['1.00 req/s', '1 req/s'],
      ['1.00 µs', '1 µs'],
    ]);
  });
  it('has units', () => {
    expect(value(31.25e6, bytes).replace('\u202f', ' ')).toBe('31.3 MB');
    expect(value(null, bytes)).toBe('unknown');
    expect(exact(0.1 + 0.2)).toBe('0.3');
    expect([count(1234567), listed(['a', 'b', 'c'])]).toEqual(['1,234,567', 'a, b and c']);
  });
});

it('says what a change means', () => {
  expect([
    directionOfChange(0.1, 'higher'),
    directionOfChange(0.1, 'lower'),
    directionOfChange(-0.1, 'higher'),
    directionOfChange(0.1, ''),
    directionOfChange(0, 'lower'),
  ]).toEqual(['better', 'worse', 'worse', 'unclear', 'unclear']);
});

describe('text from anybody', () => {
  it('shows what would turn the writing', () => {
    expect(cut('\u202egnp.exe\u0000', 20)).toBe('\ufffdgnp.exe\ufffd');
    expect(cut('👩‍👩 long', 4)).toBe('👩\u200d👩…');
  });
  it('is a link only where it looks like one', () => {
    for (const bad of [
      'javascript:alert(1)',
      'http://example.org',
      'https://a b',
      'https://x/"onload=1',
      'data:text/html,x',
      null,
    ])
      expect(web(bad)).toBeUndefined();
    expect(commitLink('https://github.com/o/n', '0123456789')).toBe(
      'https://github.com/o/n/commit/0123456789',
    );
    expect(commitLink('https://github.com/o/n', '../../x')).toBeUndefined();
    expect(actionsLink('https://github.com/o/n', '2026/11/0123456789-77-2')).toBe(
      'https://github.com/o/n/actions/runs/77/attempts/2',
    );
    expect(actionsLink('https://github.com/o/n', 'local/x')).toBeUndefined();
  });
});

describe('a cell over several levels', () => {
  const throughput = { scenario: 'stress', levels: ['100', '200'] };
  const memory = { scenario: 'stress-200' };
  it('covers these levels and no other', () => {
    expect(
      ['stress-10', 'stress-100', 'stress-200', 'stress'].map((s) => covers(throughput, s)),
    ).toEqual([false, true, true, false]);
    expect(['stress-100', 'stress-200'].map((s) => covers(memory, s))).toEqual([false, true]);
  });
  it('is followed on the fullest', () => {
    expect([throughput, memory].map(seriesOf)).toEqual(['stress-200', 'stress-200']);
  });
});

describe('a cell of a comparison', () => {
  it('leans to a side without a verdict, and has a sign and a colour of it', () => {
    expect(markOf({ verdict: 'inconclusive', leaning: 'worse' })).toEqual({
      direction: 'worse',
      sign: '▽',
    });
    expect(markOf({ verdict: 'inconclusive', leaning: 'better' }).sign).toBe('△');
    expect(markOf({ verdict: 'inconclusive', leaning: '' }).direction).toBe('unclear');
    expect(markOf({ verdict: 'regressed', leaning: '' })).toEqual({
      direction: 'worse',
      sign: '▼',
    });
  });
  it('has an arrow where its change is outside of the picture', () => {
    const limit = farthest([{ change: 4.38, low: 3.13, high: 5.99, margin: 0.1, unit: '' }]);
    const inside = shape(0.5, limit, 'worse');
    expect(shape(4.38, limit, 'worse')).not.toBe(inside);
    expect(shape(4.38, limit, 'worse')).toBe(shape(2, limit, 'unclear'));
    expect(shape(-4.38, limit, 'worse')).not.toBe(shape(4.38, limit, 'worse'));
    expect(shape(0.5, limit, 'unclear')).not.toBe(inside);
  });
});
