import { expect, it } from 'vitest';
import type { Commits, Events, Series } from '../src/data/form.ts';
import { far, range } from '../src/chart/drawn.ts';
import { drawn, indexOf, placesIn } from '../src/trend/drawn.ts';
import { beside, firm, eventsOf, judgedOf } from '../src/trend/events.ts';
import { build, leftOut, type Model } from '../src/trend/model.ts';
import { fieldsOf, shown, type TrendState } from '../src/trend/state.ts';
import { summary } from '../src/trend/summary.ts';
import { pressed } from '../src/trend/tools.tsx';
import { ofPreset } from '../src/trend/window.ts';
import { pointExact, pointWords } from '../src/trend/words.ts';
import { day } from '../src/words/numbers.ts';
import { read } from '../src/state/url.ts';
import { fixture } from './fixture/files.ts';
import { five, mean } from './fixture/history.ts';

const f = fixture({
  seed: 6,
  commits: 600,
  scenarios: ['stress-100'],
  metrics: ['rate_per_s', 'rate_x_direct'],
  raw: 1,
});
const m = f.manifest;
const ZERO = 512; // where bun-http answered nothing
const series = f.json<Series>(m.series['stress-100/rate_per_s']!);
for (const key of ['m', 'l', 'h'] as const) series.servers['bun-http']![key][ZERO] = 0;
const h = { m, commits: f.json<Commits>(m.commits.file) };

const state = (query: string): TrendState => read(fieldsOf(m), query).state;
const model = (query: string, window: [number, number], base: number | null = null): Model =>
  build(h, state(query), series, window, base);
const figure = (server: number, at: number) =>
  five(mean(f.history.points.get('stress-100/rate_per_s')![server]![at]!.rounds));

it('has every commit, whatever the window', () => {
  const got = model('?sv=go-gin', [300, 500]);
  expect([got.place[0], got.place.at(-1)]).toEqual([0, 599]);
  expect(got.rows[0]!.m[344]).toBe(figure(3, 344));
  expect(indexOf(got, 300)).toBe(300);
});

it('relates to the first in view, or to a commit outside it', () => {
  const first = model('?sv=go-gin&y=relative', [500, 599]);
  expect(first.rows[0]!.m[indexOf(first, 500)]).toBeCloseTo(100, 9);
  const fixed = model('?sv=go-gin&y=relative&base=0000000000', [500, 599], 380);
  expect(fixed.rows[0]!.m[indexOf(fixed, 550)]! / 100).toBeCloseTo(
    figure(3, 550) / figure(3, 380),
    2,
  );
});

it('relates nothing to a figure of another machine', () => {
  const first = model('?sv=go-gin&y=relative', [300, 400]); // the machine changes at 360
  expect([300, 360].map((place) => first.rows[0]!.m[indexOf(first, place)]!.toFixed(9))).toEqual([
    '100.000000000',
    '100.000000000',
  ]);
  expect(
    Math.max(
      ...first.rows[0]!.m.slice(indexOf(first, 300), indexOf(first, 400)).map((v) => v ?? 0),
    ),
  ).toBeLessThan(115);
  const fixed = model('?sv=go-gin&y=relative&base=0000000000', [300, 400], 20);
  expect([fixed.rows[0]!.m[indexOf(fixed, 360)], leftOut(fixed, [300, 400])]).toEqual([null, 41]);
  expect(leftOut(fixed, [380, 400])).toBe(21); // zoomed, which makes no other model
  expect(fixed.rows[0]!.m[indexOf(fixed, 340)]! / 100).toBeCloseTo(
    figure(3, 340) / figure(3, 20),
    2,
  );
});

it('cuts lines and bands at an epoch, and says which', () => {
  const s = state('?sv=go-gin');
  const got = model('?sv=go-gin', [300, 400]); // the machine changes at 360
  const d = drawn(h, s, got, [300, 400], [], {
    rows: got.rows,
    dark: false,
    labels: false,
    height: 100,
    selected: 400,
  });
  expect(d.cuts).toEqual([
    {
      at: 359.5,
      label: 'kernel 6.1.0 → 6.1.1, another rig',
      short: 'another machine, another rig',
    },
  ]);
  expect([...d.breaks]).toEqual([indexOf(got, 360)]);
  const line = got.rows[0]!.line;
  expect(line[indexOf(got, 360)]! / line[indexOf(got, 359)]!).toBeGreaterThan(1.2);
  expect(range(d)![1]).toBeGreaterThan(range(d)![0]);
});

it('is flattened by no single point', () => {
  const s = state('?sv=go-gin'),
    got = model('?sv=go-gin', [500, 599]);
  const of = () =>
    drawn(h, s, got, [500, 599], [], {
      rows: got.rows,
      dark: false,
      labels: false,
      height: 100,
      selected: null,
    });
  const before = range(of())!;
  got.rows[0]!.m[indexOf(got, 550)]! *= 40;
  expect(range(of())).toEqual(before);
});

it('takes nothing for far out that is within a few times the noise, near 0 either', () => {
  const at = (m: number, high: number | null, line = 0.01) =>
    far({ m: [m], line: [line], high: [high] }, 0);
  expect([at(0.15, 0.21), at(-0.6, 0.21), at(-1.2, 0.21), at(40, null)]).toEqual([
    false,
    false,
    true,
    false,
  ]);
  // a step at the newest commit does not count
  expect([at(94, 100.3, 100), at(70, 100.3, 100)]).toEqual([false, true]);
  const got = model('?sv=go-gin', [500, 599]),
    row = got.rows[0]!;
  row.line = row.m.map(() => 0.01);
  row.high = row.m.map(() => 0.21);
  row.m = row.m.map((_, i) => (i % 2 ? 0.15 : -0.1));
  const [low, high] = range(
    drawn(h, state('?band=none'), got, [500, 599], [], {
      rows: got.rows,
      dark: false,
      labels: false,
      height: 100,
      selected: null,
    }),
  )!;
  expect([low < -0.1, high > 0.15]).toEqual([true, true]);
});

it('draws by date in the order of time', () => {
  const got = model('?sv=go-gin&x=date', [520, 599]);
  expect(got.x).toEqual(got.x.toSorted((a, b) => a - b));
  expect(got.undated).toBe(1);
  const [from, to] = placesIn(state('?x=date'), got, f.history.time[570]!, f.history.time[580]!)!;
  expect([from, to]).toEqual([570, 580]);
});

it('leaves out of a logarithm what has none, and counts it', () => {
  const got = model('?sv=rust-http&y=log', [0, 20]);
  expect(leftOut(got, [0, 20])).toBe(0);
  expect(got.rows[0]!.m.filter((v) => v !== null).every((v) => v! > 0)).toBe(true);
});

it('says what it measured of what has no place on the axis, and counts it', () => {
  const said = (y: string) => {
    const s = state(`?sv=bun-http&${y}`),
      got = model(`?sv=bun-http&${y}`, [ZERO, 599]),
      row = got.rows[0]!;
    return [
      pointWords(h, s, got, indexOf(got, ZERO), row, []),
      pointExact(s, got, row, indexOf(got, ZERO)),
      leftOut(got, [ZERO, 599]),
    ];
  };
  const words = `bun-http, commit ${f.history.sha[ZERO]!.slice(0, 10)}, ${day(f.history.time[ZERO]!)}, 0\u202freq/s, not on this axis`;
  expect(said('y=log')).toEqual([words, '0\u202freq/s', 1]);
  const measured = f.history.points
    .get('stress-100/rate_per_s')![1]!
    .slice(ZERO)
    .filter((p) => p.rounds.length).length;
  expect(said('y=relative')).toEqual([words, '0\u202freq/s', measured]);
});

it('goes from event to event, of the servers that are shown', () => {
  const { events } = f.json<Events>(m.events);
  const s = state('');
  const seen = eventsOf(events, s, ['rate_per_s']);
  expect(seen.map((x) => x.place)).toEqual([554, 566, 574, 587]);
  expect([beside(seen, 566, 1)?.place, beside(seen, 566, -1)?.place, beside(seen, 587, 1)]).toEqual(
    [574, 554, undefined],
  );
  expect(seen.map((x) => firm(x.event))).toEqual([false, true, false, true]);
  expect(eventsOf(events, { ...s, servers: ['go-fiber'] }, ['rate_per_s'])).toEqual([]);
  // Of req/s over direct, which Health links to, they are those of req/s.
  expect(
    eventsOf(events, s, judgedOf(m.metrics, shown(m, state('?m=rate_x_direct')).metric)),
  ).toEqual(seen);
  expect(judgedOf(m.metrics, 'rate_per_s')).toEqual(['rate_per_s']);
});

it('says what is in view, and who is gone', () => {
  const { events } = f.json<Events>(m.events);
  const s = state(''),
    got = model('', [400, 599]);
  const said = summary(m, s, got, [400, 599], eventsOf(events, s, ['rate_per_s']));
  expect(said).toContain('go-gin got worse: −6.0');
  expect(said).toContain('2 older events are in view, too.');
  expect(said).not.toContain('machine');
  expect(summary(m, s, got, [359, 599], [])).toContain(
    'Commits before 361 of 600 cannot be compared with those after: kernel 6.1.0 → 6.1.1, another ' +
      'rig.',
  );
  expect(said).toContain('rust-http is not in the newest run: the last was 30 commits earlier.');
  expect(summary(m, s, got, [400, 500], eventsOf(events, s, ['rate_per_s']))).toContain(
    'No event on req/s of stress-100 in these 101 commits.',
  );
});

it('knows its presets', () => {
  expect([ofPreset(h, '200'), ofPreset(h, '1000'), ofPreset(h, 'all')]).toEqual([
    [400, 599],
    [0, 599],
    [0, 599],
  ]);
  expect(
    ['', '?last=1000', '?last=50', '?last=90d', '?from=0000000000'].map((query) =>
      pressed(state(query), 200),
    ),
  ).toEqual(['all', 'all', '50', '90d', null]);
  expect(pressed(state(''), 201)).toBe('200');
  const [from, to] = ofPreset(h, '90d');
  expect(to).toBe(599);
  expect((f.history.time[599]! - f.history.time[from]!) / 86400).toBeLessThanOrEqual(90);
  expect((f.history.time[599]! - f.history.time[from - 1]!) / 86400).toBeGreaterThan(90);
});
