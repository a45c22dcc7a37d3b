import { expect, it } from 'vitest';
import type { Events, Series } from '../src/data/form.ts';
import { draft, newFile } from '../src/regressions/acceptance.ts';
import { around, fieldsOf, main, open, shown } from '../src/regressions/list.ts';
import { read } from '../src/state/url.ts';
import { trendQuery } from '../src/trend/link.ts';
import { stateOf } from '../src/words/verdict.ts';
import { fixture } from './fixture/files.ts';

const f = fixture({
  seed: 7,
  commits: 200,
  scenarios: ['stress-100'],
  metrics: ['rate_per_s'],
  raw: 1,
});
const { events } = f.json<Events>(f.manifest.events);
const of = (kind: string) =>
  events.find((x) => x.at === f.history.steps.find((s) => s.kind === kind)!.at)!;
const state = (query: string) => read(fieldsOf(f.manifest), query).state;

it('opens with what is confirmed and nobody accepted', () => {
  expect(shown(events, state(''))).toEqual([of('open')]);
  expect(open(of('unconfirmed')) || open(of('accepted')) || open(of('improved'))).toBe(false);
  expect(shown(events, state('?show=worse')).length).toBe(3);
  expect(shown(events, state('?show=all')).length).toBe(4);
  expect(shown(events, state('?show=all&sv=go-http'))).toEqual([of('improved')]);
});

it('has as fixed what was regained', () => {
  const event = { ...of('open'), fixed: of('improved').head };
  expect(open(event)).toBe(false);
  expect(stateOf(event)).toBe(`fixed at ${of('improved').head.slice(0, 10)}`);
  expect(shown([event], state(''))).toEqual([]);
  expect(shown([event], state('?show=worse'))).toEqual([event]);
});

it('links to a trend that holds the event, however old it is', () => {
  const last = (commits: number) =>
    /last=(\w+)/.exec(
      trendQuery(
        { ...f.manifest, commits: { ...f.manifest.commits, count: commits } },
        of('open'),
        of('open').cells[0]!,
      ),
    )![1];
  expect([last(of('open').at! + 1000), last(of('open').at! + 1001)]).toEqual(['1000', 'all']);
});

it('shows the event of a link whatever else is chosen', () => {
  expect(shown(events, state(`?id=${of('improved').id}&sv=go-gin`))).toEqual(
    [of('open'), of('improved')].sort((a, b) => b.at! - a.at!),
  );
});

it('shows the trend around an event', () => {
  const o = f.json<Series>(f.manifest.series['stress-100/rate_per_s']!);
  const event = of('open');
  const near = around(f.manifest, o, event.server, event.at!)!;
  expect(near.values[near.mark]).toBe(o.servers[event.server]!.m[event.at!]);
});

it('writes an acceptance as far as it can', () => {
  const event = of('open');
  expect(main(event)?.verdict).toBe('regressed');
  const d = draft(event);
  expect(d.path).toBe(`gh-pages/accepted/relay.go-gin-${event.head.slice(0, 10)}.json`);
  expect(JSON.parse(d.text)).toEqual({
    workload: 'relay',
    server: 'go-gin',
    scenario: 'stress-100',
    metric: 'rate_per_s',
    since: event.head,
    reason: '',
    by: '',
    expires: null,
  });
  expect(newFile('https://github.com/o/n', d)).toMatch(
    /^https:\/\/github\.com\/o\/n\/new\/main\?filename=gh-pages%2Faccepted%2F/,
  );
  expect(newFile('javascript:x', d)).toBeUndefined();
});
