import { expect, it } from 'vitest';
import { compare } from '../src/frame/sort.ts';

it('sorts with what is unknown last, either way', () => {
  const sorted = (down: boolean) => [2, null, 1, 3].sort((a, b) => compare(a, b, down));
  expect(sorted(false)).toEqual([1, 2, 3, null]);
  expect(sorted(true)).toEqual([3, 2, 1, null]);
  expect(['b', 'a', null].sort((a, b) => compare(a, b, false))).toEqual(['a', 'b', null]);
});
