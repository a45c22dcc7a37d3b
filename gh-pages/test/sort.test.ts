import { expect, it } from 'vitest';
import { compare, read } from '../src/frame/sort.ts';

it('sorts with what is unknown last, either way', () => {
  const sorted = (down: boolean) => [2, null, 1, 3].sort((a, b) => compare(a, b, down));
  expect(sorted(false)).toEqual([1, 2, 3, null]);
  expect(sorted(true)).toEqual([3, 2, 1, null]);
  expect(['b', 'a', null].sort((a, b) => compare(a, b, false))).toEqual(['a', 'b', null]);
});

it.each([
  ['–', null],
  ['?', null],
  ['-', null],
  ['unknown', null],
  ['1,234', 1234],
  ['12.5 ms', 12.5],
  ['▼ +3.1\u00a0%', 3.1],
  ['▲ −40 %', -40],
  ['▼ x3.2', 220],
  ['2026-11-02 10:00 UTC', '2026-11-02 10:00 UTC'],
  ['12ab34cd56', '12ab34cd56'],
  ['go-http', 'go-http'],
])('reads %s', (text, value) => {
  if (typeof value === 'number') expect(read(text)).toBeCloseTo(value);
  else expect(read(text)).toBe(value);
});
