import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { act } from '../src/chart/keys.ts';
import { path } from '../src/chart/sparkline.tsx';
import { stretches } from '../src/chart/stretches.ts';
import { firstSort, sortedBy, type Col } from '../src/chart/table.tsx';
import { noiseBand, rolling, within, zoomed } from '../src/trend/numbers.ts';

const none = () => false;

describe('the line through medians', () => {
  it('keeps a gap a gap and a step a step', () => {
    expect(rolling([1, 1, 1, null, 5, 5, 5], [0, 0, 0, 0, 0, 0, 0], none, 3)).toEqual([
      1,
      1,
      1,
      null,
      5,
      5,
      5,
    ]);
    expect(rolling([1, 9, 1, 1, 1], [0, 0, 0, 0, 0], none, 3)).toEqual([5, 1, 1, 1, 1]);
  });
  it('takes nothing across an epoch, and no point with a warning', () => {
    expect(rolling([1, 1, 1, 1, 8, 8, 8, 8], [0, 0, 0, 0, 1, 1, 1, 1], none)).toEqual([
      1, 1, 1, 1, 8, 8, 8, 8,
    ]);
    expect(rolling([1, 7, 1, 1], [0, 0, 0, 0], (i) => i === 1)).toEqual([1, 1, 1, 1]);
  });
  it('is none where an epoch has fewer than four runs: of two it would be level', () => {
    expect(rolling([1, 9, null, 5, 5, 5, 5], [0, 0, 0, 1, 1, 1, 1], none)).toEqual([
      null,
      null,
      null,
      5,
      5,
      5,
      5,
    ]);
  });
  it('has a band only where noise is known', () => {
    expect(noiseBand([100, 100, null, 50], [0, 1, 1, 1], [[1, 2, 30]], false, () => 1)).toEqual([
      [null, 98, null, 49],
      [null, 102, null, 51],
    ]);
    expect(noiseBand([0, -1], [0, 0], [[0, 0.5, 9]], true, () => 2)).toEqual([
      [-1, -2],
      [1, 0],
    ]);
  });
});

it('draws in one go what is known and of one epoch, of what is asked for', () => {
  expect(stretches([1, 2, null, 3, 4, 5, undefined, 6], new Set([4]))).toEqual([
    [0, 1],
    [3, 3],
    [4, 5],
    [7, 7],
  ]);
  expect(stretches([1, 2, 3, 4], new Set([2]), -3, 2)).toEqual([
    [0, 1],
    [2, 2],
  ]);
});

it('keeps a window inside the history', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20000 }),
      fc.integer({ min: -50000, max: 50000 }),
      fc.integer({ min: 0, max: 50000 }),
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      (count, from, span, factor) => {
        for (const [a, b] of [
          within(from, from + span, count, 8),
          zoomed(within(from, from + span, count, 8), factor, from, count, 8),
        ]) {
          expect(a).toBeGreaterThanOrEqual(0);
          expect(b).toBeLessThan(count);
          expect(b - a + 1).toBeGreaterThanOrEqual(Math.min(8, count));
          expect(Number.isInteger(a) && Number.isInteger(b)).toBe(true);
        }
      },
    ),
  );
});

it('draws a lone point of a sparkline, and no line over a gap', () => {
  expect(
    path(
      [1, 2, null, 3, null, 4],
      (i) => i,
      (v) => v,
    ),
  ).toBe('M0 1L1 2M3 3h0M5 4h0');
  expect(
    path(
      [1, 2, 8, 8, 9],
      (i) => i,
      (v) => v,
      [2, 4],
    ),
  ).toBe('M0 1L1 2M2 8L3 8M4 9h0'); // nor over a cut
});

it('leaves keys with a modifier to the browser', () => {
  const key = (k: string, more = {}) =>
    act({ key: k, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });
  expect(key('ArrowLeft', { shiftKey: true })).toEqual({ kind: 'move', by: -10 });
  expect([
    key('ArrowLeft', { altKey: true }),
    key('0', { ctrlKey: true }),
    key('Tab'),
    key('a'),
  ]).toEqual([null, null, null, null]);
});

it('sorts with what is unknown last, either way', () => {
  const cols: Col<number | null>[] = [
    { key: 'v', head: 'v', label: 'v', cell: () => '', sort: (v) => v },
  ];
  expect(sortedBy([2, null, 1, 3], cols, 'v')).toEqual([1, 2, 3, null]);
  expect(sortedBy([2, null, 1, 3], cols, '-v')).toEqual([3, 2, 1, null]);
  expect(sortedBy([2, null, 1], cols, '-gone')).toEqual([2, null, 1]);
});

it('sorts by the best first, and words from A to Z', () => {
  const col = (
    sort: NonNullable<Col<number>['sort']>,
    better?: Col<number>['better'],
  ): Col<number> => ({
    key: 'v',
    head: 'v',
    label: 'v',
    cell: () => '',
    sort,
    ...(better === undefined ? {} : { better }),
  });
  const rows = [2, 1];
  expect(
    ['lower', 'higher', '', undefined].map((better) =>
      firstSort(
        col((v) => v, better as Col<number>['better']),
        rows,
      ),
    ),
  ).toEqual(['v', '-v', '-v', '-v']);
  expect(
    firstSort(
      col((v) => (v === 1 ? null : `server ${v}`)),
      rows,
    ),
  ).toBe('v');
});
