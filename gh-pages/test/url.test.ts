// The address of a run holds all choices, and gives them back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measures } from '../src/run/distributions.tsx';
import { fields } from '../src/run/state.ts';
import { read, write } from '../src/state/url.ts';

const scenarios = ['', 'steady', 'stress-100', 'stress, go-gin alone'];
const states = fc.record({
  id: fc.oneof(
    fc.constant(''),
    fc.stringMatching(/^20\d\d\/(0[1-9]|1[0-2])\/[0-9a-f]{10}-[1-9]\d{0,6}-[1-9]$/),
    fc.stringMatching(/^[0-9a-f]{10}$/),
    fc.stringMatching(/^local\/[a-z0-9][a-z0-9.-]{0,20}$/),
  ),
  of: fc.constantFrom('' as const, 'trend_runs' as const, 'leaderboard' as const),
  sc: fc.constantFrom(...scenarios),
  rd: fc.oneof(fc.constant(''), fc.integer({ min: 1, max: 9999 }).map(String)),
  ds: fc.constantFrom('', 'steady', 'stress-100'),
  dm: fc.constantFrom(...measures),
  sv: fc.constantFrom('', 'go-gin', 'go-gin@base'),
});

describe('the address of a run', () => {
  it('gives every state back, and says all of it shortly', () => {
    fc.assert(
      fc.property(states, (s) => {
        const query = write(fields, s);
        expect(read(fields, query)).toEqual({ state: s, unknown: [] });
        expect(query.length).toBeLessThanOrEqual(300);
      }),
    );
    expect(write(fields, read(fields, '').state)).toBe('');
  });
  it('loads from any text, and names what it does not know', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { state } = read(fields, `?${text}`);
        expect(read(fields, write(fields, state)).state).toEqual(state);
      }),
    );
    expect(read(fields, '?of=flood&utm_source=feed').unknown).toEqual([
      { key: 'of', text: 'flood' },
    ]);
  });
  // Never to be edited, only added to: somebody has them.
  it.each([
    '?id=2026/11/3f2a9c1e04-1234567-1&of=leaderboard&sc=stress&rd=2&ds=stress-200&dm=ttft',
    '?id=3f2a9c1e04&sv=go-gin',
    '?id=local/20261121T130043Z',
  ])('reads %s as it was meant', (query) => {
    const got = read(fields, query);
    expect(got.unknown).toEqual([]);
    expect(write(fields, got.state)).toBe(query);
  });
});
