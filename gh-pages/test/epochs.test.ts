// A cut between epochs: where it is, what is another, and where its words stand.
import { expect, it } from 'vitest';
import { room, type Box } from '../src/chart/cuts.ts';
import { breaksIn, breaksOf, differs, epochsOf } from '../src/data/epochs.ts';
import type { Epoch, Manifest } from '../src/data/form.ts';

const history = {
  cuts: [
    [0, 0],
    [360, 1],
    [370, 0],
  ],
  commits: { count: 901, file: '' },
} as Pick<Manifest, 'cuts' | 'commits'> as Manifest;
const epoch = (text: string, rig = 'a', placement = 'shared'): Epoch => ({
  id: 'ab12cd',
  text,
  rig,
  placement,
  first: 0,
  last: 0,
});

it('knows the epoch of each commit where two take slices', () => {
  const all = epochsOf(history);
  expect([0, 359, 360, 369, 370, 900].map((place) => all[place])).toEqual([0, 0, 1, 1, 0, 0]);
  expect(all).toHaveLength(901);
});

it('breaks a line before and after what is of two epochs', () => {
  expect(breaksOf([0, 0, 1, 0, 0])).toEqual([2, 3]);
  expect(breaksIn(history)).toEqual(breaksOf(epochsOf(history)));
});

it('says what is another, and no more', () => {
  const was = 'Intel Xeon, 4 cores, 16 GiB, Debian 12, kernel 6.1.0';
  expect(
    differs(epoch(was), epoch('Intel Xeon, 4 cores, 16 GiB, Debian 12, kernel 6.1.1')),
  ).toEqual({ label: 'kernel 6.1.0 → 6.1.1', short: 'another machine' });
  expect(
    differs(
      epoch(was),
      epoch('Intel Core, 8 cores, 16 GiB, Debian 12, kernel 6.1.0', 'b', 'pinned'),
    ),
  ).toEqual({
    label: 'Intel Xeon → Core, 4 cores → 8 cores, placement shared → pinned, another rig',
    short: 'another machine, another rig',
  });
  expect(differs(epoch(was), epoch('unknown')).label).toBe(`${was} → unknown`);
  expect(differs(epoch(was), epoch(was, 'b')).label).toBe('another rig');
  expect(differs(epoch(was), epoch(was)).label).toBe('another form of records');
});

it('has the words of a cut where they lie on nothing and are not cut off', () => {
  const plot = { left: 0, right: 300, top: 0, bottom: 100 };
  const at = (x: number, widths = [100, 50], taken: Box[] = [], free = (_: Box) => true) => {
    const r = room(x, widths, plot, 1, taken, free);
    return r && [r.which, r.box.left, r.box.top];
  };
  expect(at(50)).toEqual([0, 54, 0]);
  expect(at(250)).toEqual([0, 146, 0]); // left of it
  expect(at(150, [280, 50])).toEqual([0, 10, 0]); // over it
  expect(at(150, [400, 50])).toEqual([1, 154, 0]);
  expect(at(150, [400, 310])).toBeNull();
  const event = [{ left: 100, right: 130, top: 0, bottom: 12 }];
  expect(at(50, [100], event)).toEqual([0, 0, 0]);
  expect(at(50, [280], event)).toEqual([0, 0, 87]); // at the bottom
  // where no line is
  expect(at(50, undefined, [], (box) => box.top >= 13 && box.top < 60)).toEqual([0, 54, 13]);
  expect(at(50, undefined, event, () => false)).toEqual([0, 0, 0]); // lines are everywhere
});
