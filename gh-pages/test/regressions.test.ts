import { expect, it } from 'vitest';
import type { Flags, Series } from '../src/data/form.ts';
import { draft, newFile } from '../src/regressions/ack.ts';
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
const { flags } = f.json<Flags>(f.manifest.flags);
const of = (kind: string) =>
  flags.find((x) => x.at === f.history.steps.find((s) => s.kind === kind)!.at)!;
const state = (query: string) => read(fieldsOf(f.manifest), query).state;

it('opens with what is confirmed and nobody accepted', () => {
  expect(shown(flags, state(''))).toEqual([of('open')]);
  expect(open(of('unconfirmed')) || open(of('acknowledged')) || open(of('improved'))).toBe(false);
  expect(shown(flags, state('?show=worse')).length).toBe(3);
  expect(shown(flags, state('?show=all')).length).toBe(4);
  expect(shown(flags, state('?show=all&sv=go-http'))).toEqual([of('improved')]);
});

it('has as fixed what was regained', () => {
  const flag = { ...of('open'), fixed: of('improved').head };
  expect(open(flag)).toBe(false);
  expect(stateOf(flag)).toBe(`fixed at ${of('improved').head.slice(0, 10)}`);
  expect(shown([flag], state(''))).toEqual([]);
  expect(shown([flag], state('?show=worse'))).toEqual([flag]);
});

it('links to a trend that holds the flag, however old it is', () => {
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

it('shows the flag of a link whatever else is chosen', () => {
  expect(shown(flags, state(`?id=${of('improved').id}&sv=go-gin`))).toEqual(
    [of('open'), of('improved')].sort((a, b) => b.at! - a.at!),
  );
});

it('shows the trend around a flag', () => {
  const o = f.json<Series>(f.manifest.series['stress-100/rate_per_s']!);
  const flag = of('open');
  const near = around(f.manifest, o, flag.server, flag.at!)!;
  expect(near.values[near.mark]).toBe(o.servers[flag.server]!.m[flag.at!]);
});

it('writes an acknowledgement as far as it can', () => {
  const flag = of('open');
  expect(main(flag)?.verdict).toBe('regressed');
  const d = draft(flag);
  expect(d.path).toBe(`gh-pages/acks/go-gin-${flag.head.slice(0, 10)}.json`);
  expect(JSON.parse(d.text)).toEqual({
    server: 'go-gin',
    scenario: 'stress-100',
    metric: 'rate_per_s',
    since: flag.head,
    reason: '',
    by: '',
    expires: null,
  });
  expect(newFile('https://github.com/o/n', d)).toMatch(
    /^https:\/\/github\.com\/o\/n\/new\/main\?filename=gh-pages%2Facks%2F/,
  );
  expect(newFile('javascript:x', d)).toBeUndefined();
});
