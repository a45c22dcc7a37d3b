import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsOf, presets, type TrendState } from '../src/trend/state.ts';
import { matching, oneOf, read, sha, someOf, write, type Fields } from '../src/state/url.ts';
import { fixture } from './fixture/files.ts';

const { manifest } = fixture({ seed: 3, commits: 120, scenarios: ['baseline', 'stress-100'] });
const fields = fieldsOf(manifest);
const names = manifest.servers.map((s) => s.name);
const hash = fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9a-f]{10}$/));
const states: fc.Arbitrary<TrendState> = fc.record({
  scenario: fc.constantFrom(...manifest.scenarios),
  metric: fc.constantFrom(...manifest.metrics.map((m) => m.name)),
  of: fc.constantFrom('measured', 'direct'),
  servers: fc.subarray(names),
  last: fc.constantFrom(...presets),
  from: hash,
  to: hash,
  x: fc.constantFrom('commit', 'date'),
  y: fc.constantFrom('linear', 'log', 'relative'),
  base: hash,
  band: fc.constantFrom('noise', 'none'),
  smooth: fc.boolean(),
  on: fc.constantFrom(...names),
  sel: hash,
  view: fc.constantFrom('chart', 'split', 'table'),
});

describe('the address of the trend page', () => {
  it('gives every state back', () => {
    fc.assert(
      fc.property(states, (s) => {
        expect(read(fields, write(fields, s))).toEqual({ state: s, unknown: [], renamed: [] });
      }),
    );
  });
  it('is one for a state, whatever the order of keys', () => {
    fc.assert(
      fc.property(states, fc.infiniteStream(fc.nat()), (s, order) => {
        const parts = [...new URLSearchParams(write(fields, s))]
          .map((p) => ({ p, by: order.next().value as number }))
          .sort((a, b) => a.by - b.by);
        expect(
          write(fields, read(fields, `?${new URLSearchParams(parts.map((x) => x.p))}`).state),
        ).toBe(write(fields, s));
      }),
    );
  });
  it('is empty at the defaults, and short with everything chosen', () => {
    expect(write(fields, read(fields, '').state)).toBe('');
    fc.assert(
      fc.property(states, (s) => {
        expect(write(fields, s).length).toBeLessThanOrEqual(300);
      }),
    );
  });
  it('loads from any text, and names what it does not know', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { state } = read(fields, `?${text}`);
        expect(read(fields, write(fields, state)).state).toEqual(state);
      }),
    );
    expect(read(fields, '?sc=flood&m=rate_per_s').unknown).toEqual([{ key: 'sc', text: 'flood' }]);
    expect(read(fields, '?sv=go-http,gone,bun-http').unknown).toEqual([
      { key: 'sv', text: 'gone' },
    ]);
    expect(read(fields, '?sv=go-http,gone,bun-http').state.servers).toEqual([
      'bun-http',
      'go-http',
    ]);
  });
  it('passes over keys of others', () => {
    expect(read(fields, '?utm_source=feed&fbclid=x1&m=ttft_p95_ms&colour=red')).toMatchObject({
      state: { metric: 'ttft_p95_ms' },
      unknown: [],
      renamed: [],
    });
  });
  it('follows a server that was renamed', () => {
    const { state, unknown, renamed } = read(fields, '?sv=bun-serve&on=bun-serve');
    expect([state.servers, state.on, unknown, renamed]).toEqual([
      ['bun-http'],
      'bun-http',
      [],
      [{ was: 'bun-serve', now: 'bun-http' }],
    ]);
  });
  // Links that were given away: they must be read for ever.
  it.each([
    [
      '?sc=baseline&m=ttft_p95_ms&of=direct&sv=go-http,rust-axum&last=1000&x=date&y=relative&base=3f2a9c1e04&band=none&sel=8c00aa12f9&view=table',
      {
        scenario: 'baseline',
        metric: 'ttft_p95_ms',
        of: 'direct',
        servers: ['go-http', 'rust-axum'],
        last: '1000',
        x: 'date',
        y: 'relative',
        base: '3f2a9c1e04',
        band: 'none',
        sel: '8c00aa12f9',
        view: 'table',
      },
    ],
    [
      '?from=3f2a9c1e04&to=9be01d4c77&smooth=0&on=go-gin&view=split',
      { from: '3f2a9c1e04', to: '9be01d4c77', smooth: false, on: 'go-gin', view: 'split' },
    ],
    ['?sv=', { servers: [] }],
  ])('reads %s', (query, want) => {
    const got = read(fields, query);
    expect(got.unknown).toEqual([]);
    expect(got.state).toMatchObject(want);
    expect(write(fields, got.state)).toBe(query);
  });
});

it('keeps what an address can hold of each kind', () => {
  const kinds: Fields<{
    one: 'a' | 'b';
    some: readonly ('a' | 'b' | 'c')[];
    text: string;
    sha: string;
  }> = {
    one: oneOf('one', ['a', 'b'], 'a'),
    some: someOf('some', ['a', 'b', 'c'], ['a', 'b']),
    text: matching('q', /^[\w -]{0,20}$/),
    sha: sha('at'),
  };
  expect(write(kinds, { one: 'b', some: ['c', 'a'], text: 'x y', sha: '0123456789' })).toBe(
    '?one=b&some=a,c&q=x+y&at=0123456789',
  );
  expect(read(kinds, '?at=0123456789abcdef').state.sha).toBe('0123456789');
  expect(read(kinds, '?at=01234').unknown).toEqual([{ key: 'at', text: '01234' }]);
});
