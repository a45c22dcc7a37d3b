import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, exact, exactly, listed, three } from '../src/words/numbers.ts';
import { actionsLink, commitLink, cut, web } from '../src/words/text.ts';

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
  it('calls a thing by one name', () => {
    const said = (unit: string) => exactly(1, { unit }).replace('\u202f', ' ');
    expect([said('streams/s'), said('us'), exactly(null, { unit: 'us' })]).toEqual([
      '1 req/s',
      '1 µs',
      'not measured',
    ]);
    expect(exact(0.1 + 0.2)).toBe('0.3');
    expect([count(1234567), listed(['a', 'b', 'c'])]).toEqual(['1,234,567', 'a, b and c']);
  });
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
