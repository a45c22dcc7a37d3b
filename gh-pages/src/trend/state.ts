// The choices on the trend page, in its address.
import type { Manifest } from '../data/form.ts';
import { event, oneOf, renames, sha, someOf, type Fields } from '../state/url.ts';

export const presets = ['50', '200', '1000', '90d', 'all'] as const;
export type Preset = (typeof presets)[number];

export interface TrendState {
  scenario: string;
  metric: string;
  of: 'measured' | 'direct'; // the metric itself, or the same relative to direct or the rig
  servers: readonly string[];
  last: Preset;
  from: string; // commits, ten digits: the window, if it is not a preset
  to: string;
  x: 'commit' | 'date';
  y: 'linear' | 'log' | 'relative';
  base: string; // the commit that is 100 %; '': the first in view
  band: 'noise' | 'none';
  smooth: boolean;
  on: string; // the server that keys move along
  sel: string; // the commit that details are of
  view: 'chart' | 'split' | 'table';
}

/** A chart with more lines than colours is unreadable, so this many are chosen at first. */
export const MOST_LINES = 8;

export function fieldsOf(m: Manifest): Fields<TrendState> {
  const first = m.headlines.find((h) => m.series[`${h.scenario}/${h.metric}`]);
  const names = m.servers.filter((s) => s.last >= 0).map((s) => s.name);
  const metrics = m.metrics
    .filter((x) => Object.keys(m.series).some((k) => k.endsWith(`/${x.name}`)))
    .map((x) => x.name);
  const initial = metrics.includes('rate_per_s')
    ? 'rate_per_s'
    : (first?.metric ?? metrics[0] ?? '');
  const scenario = m.series[`stress-100/${initial}`]
    ? 'stress-100'
    : ([first?.scenario ?? '', ...m.scenarios].find((s) => m.series[`${s}/${initial}`]) ??
      m.scenarios[0] ??
      '');
  // Those measured last, so that a server which is gone takes no colour from one that is there.
  const now = m.servers
    .toSorted((a, b) => b.last - a.last)
    .slice(0, MOST_LINES)
    .map((s) => s.name);
  const old = renames(m.servers);
  return {
    scenario: oneOf('sc', m.scenarios, scenario),
    metric: oneOf('m', metrics, initial),
    of: oneOf('of', ['measured', 'direct'], 'measured'),
    servers: someOf(
      'sv',
      names,
      names.filter((n) => now.includes(n)),
      old,
    ),
    last: oneOf('last', presets, '200'),
    from: sha('from'),
    to: sha('to'),
    x: oneOf('x', ['commit', 'date'], 'commit'),
    y: oneOf('y', ['linear', 'log', 'relative'], 'linear'),
    base: sha('base'),
    band: oneOf('band', ['noise', 'none'], 'noise'),
    smooth: event('smooth', true),
    on: oneOf('on', names, names.find((n) => now.includes(n)) ?? '', old),
    sel: sha('sel'),
    view: oneOf('view', ['chart', 'split', 'table'], 'chart'),
  };
}

/** The server in front: it has a band, and keys move along it. */
export const front = (s: TrendState): string =>
  s.servers.includes(s.on) ? s.on : (s.servers[0] ?? '');

/** The metric that is drawn, and the name of its series. */
export function shown(m: Manifest, s: TrendState): { metric: string; series: string } {
  const over = m.metrics.find((x) => x.name === s.metric)?.over ?? null;
  const metric = s.of === 'direct' && over !== null ? over : s.metric;
  return { metric, series: `${s.scenario}/${metric}` };
}
