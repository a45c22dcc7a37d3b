// The address of each page holds all choices, and gives them back. Old links keep their meaning
// for ever.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsOf as twoRunsFields } from '../src/tworuns/state.ts';
import { columns } from '../src/leaderboard/rows.ts';
import { fieldsOf as leaderboardFields, scenariosOf, views } from '../src/leaderboard/state.ts';
import { fieldsOf as regressionsFields } from '../src/regressions/list.ts';
import { measures } from '../src/run/distributions.tsx';
import { fields as runFields } from '../src/run/state.ts';
import { read, write, type Fields } from '../src/state/url.ts';
import { fieldsOf as trendFields } from '../src/trend/state.ts';
import { fixture } from './fixture/files.ts';
import { withPages } from './fixture/pages.ts';

const { manifest, leaderboard } = withPages(fixture({ seed: 3, commits: 120, raw: 1 }));
const names = manifest.servers.map((s) => s.name);
const scenarios = scenariosOf(leaderboard);
const hash = fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9a-f]{10}$/));
const sorts = (keys: string[]) => fc.constantFrom('', ...keys, ...keys.map((k) => `-${k}`));
const numbers = (most: number) =>
  fc.oneof(fc.constant(''), fc.integer({ min: 1, max: most }).map(String));
const runName = fc
  .tuple(
    fc.stringMatching(/^20\d\d\/(0[1-9]|1[0-2])\/[0-9a-f]{10}$/),
    fc.nat(99999),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([stem, run, attempt]) => `${stem}-${run}-${attempt}`);

interface Page<S extends object> {
  fields: Fields<S>;
  states: fc.Arbitrary<S>;
}
const page = <S extends object>(
  fields: Fields<S>,
  states: { [K in keyof S]: fc.Arbitrary<S[K]> },
): Page<object> => ({ fields, states: fc.record(states) }) as unknown as Page<object>;

const pages: Record<string, Page<object>> = {
  tworuns: page(twoRunsFields(manifest), {
    a: hash,
    b: hash,
    scenario: fc.constantFrom(...manifest.scenarios),
    metrics: fc.constantFrom('main', 'all'),
    sort: sorts(['server', 'metric', 'change', 'noise']),
  }),
  regressions: page(regressionsFields(manifest), {
    id: fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9a-f]{12}$/)),
    show: fc.constantFrom('open', 'worse', 'all'),
    server: fc.constantFrom('', ...names),
  }),
  leaderboard: page(leaderboardFields(leaderboard), {
    view: fc.constantFrom(...views),
    run: fc.oneof(fc.constant(''), runName),
    sc: fc.constantFrom(...scenarios),
    sort: sorts([
      'server',
      'rank',
      'times',
      'step',
      ...scenarios.flatMap((sc) => columns(leaderboard, sc).map((c) => c.metric)),
    ]),
  }),
  run: page(runFields, {
    id: fc.oneof(
      fc.constant(''),
      runName,
      fc.stringMatching(/^[0-9a-f]{10}$/),
      fc.stringMatching(/^local\/[a-z0-9][a-z0-9.-]{0,20}$/),
    ),
    of: fc.constantFrom('', 'trend_runs', 'leaderboard'),
    sc: fc.constantFrom('', ...manifest.scenarios, 'stress, go-gin alone'),
    rd: numbers(9999),
    t: numbers(99999),
    ds: fc.constantFrom('', ...manifest.scenarios),
    dm: fc.constantFrom(...measures),
    sv: fc.constantFrom('', ...names, 'go-gin@base'),
  }),
};

describe.each(Object.entries(pages))('the address of %s', (_, { fields, states }) => {
  it('gives every state back, and says all of it shortly', () => {
    fc.assert(
      fc.property(states, (s) => {
        const query = write(fields, s);
        expect(read(fields, query)).toEqual({ state: s, unknown: [], renamed: [] });
        expect(query.length).toBeLessThanOrEqual(300);
      }),
    );
    expect(write(fields, read(fields, '').state)).toBe('');
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
  it('loads from any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { state } = read(fields, `?${text}`);
        expect(read(fields, write(fields, state)).state).toEqual(state);
      }),
    );
  });
});

// Never to be edited, only added to: somebody has them.
it.each([
  [
    'trend',
    '?sc=steady&m=server_cpu_us_per_stream&of=direct&sv=go-gin,go-http&last=50&y=log&on=go-http&sel=8c00aa12f9',
    {
      scenario: 'steady',
      metric: 'server_cpu_us_per_stream',
      of: 'direct',
      servers: ['go-gin', 'go-http'],
      last: '50',
      y: 'log',
      on: 'go-http',
      sel: '8c00aa12f9',
    },
  ],
  [
    'trend',
    '?m=ttft_p95_ms&last=90d&x=date&y=relative&band=none&smooth=0&view=split',
    {
      metric: 'ttft_p95_ms',
      last: '90d',
      x: 'date',
      y: 'relative',
      band: 'none',
      smooth: false,
      view: 'split',
    },
  ],
  [
    'tworuns',
    '?a=3f2a9c1e04&b=9be01d4c77&sc=baseline&m=all&sort=-change',
    { a: '3f2a9c1e04', b: '9be01d4c77', scenario: 'baseline', metrics: 'all', sort: '-change' },
  ],
  ['regressions', '?id=0123456789ab', { id: '0123456789ab', show: 'open' }],
  ['regressions', '?show=all&sv=bun-hono', { show: 'all', server: 'bun-hono' }],
  [
    'leaderboard',
    '?sc=steady&sort=-server_cpu_us_per_stream',
    { sc: 'steady', sort: '-server_cpu_us_per_stream' },
  ],
  ['leaderboard', '?sort=rank', { sort: 'rank' }],
  ['leaderboard', '?view=all&sc=stress-100', { sc: 'stress-100', view: 'all' }],
  [
    'leaderboard',
    '?view=memory&sc=baseline&sort=server_rss_peak_bytes',
    { view: 'memory', sc: 'baseline', sort: 'server_rss_peak_bytes' },
  ],
  ['leaderboard', '?view=scores&sort=-itl_p99_ms', { view: 'scores', sort: '-itl_p99_ms' }],
  [
    'run',
    '?id=2026/11/3f2a9c1e04-1234567-1&of=leaderboard&sc=stress&rd=2&t=18&ds=stress-200&dm=ttft',
    {
      id: '2026/11/3f2a9c1e04-1234567-1',
      of: 'leaderboard',
      sc: 'stress',
      rd: '2',
      t: '18',
      ds: 'stress-200',
      dm: 'ttft',
    },
  ],
  ['run', '?id=3f2a9c1e04&sv=go-gin', { id: '3f2a9c1e04', sv: 'go-gin' }],
  ['run', '?id=local/20261121T130043Z', { id: 'local/20261121T130043Z' }],
] as const)('%s%s is read as it was meant', (name, query, want) => {
  const fields = name === 'trend' ? (trendFields(manifest) as Fields<object>) : pages[name]!.fields;
  const got = read(fields, query);
  expect(got).toMatchObject({ state: want, unknown: [], renamed: [] });
  expect(write(fields, got.state)).toBe(query);
});

it.each(['tworuns', 'leaderboard'])('%s names a column that it does not have', (name) => {
  expect(read(pages[name]!.fields, '?sort=-colour').unknown).toEqual([
    { key: 'sort', text: '-colour' },
  ]);
});
