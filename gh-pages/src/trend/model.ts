// The content of the chart: every commit of the history, from its series.
import type { Values } from '../chart/stretches.ts';
import { epochsOf } from '../data/epochs.ts';
import type { Commits, Manifest, Metric, Noise, Series, Status } from '../data/form.ts';
import { metricOf } from '../words/verdict.ts';
import { noiseBand, rolling } from './numbers.ts';
import { shown, type TrendState } from './state.ts';

export interface History {
  m: Manifest;
  commits: Commits;
}

export interface Row {
  server: string;
  slot: number;
  m: Values; // as shown: scaled, or per cent of the base
  line: Values;
  low: Values; // of the noise band
  high: Values;
  least: Values; // of the rounds
  most: Values;
  s: Status[];
  noise: Noise[];
  raw: Values; // in the metric's own unit
}

export interface Model {
  metric: Metric;
  place: number[]; // of each point, ascending in x
  x: number[];
  epoch: number[];
  rows: Row[];
  absolute: boolean; // noise is in the metric's unit
  undated: number; // left out of a chart by date
}

/** base: the place that is 100 %; null: the first in view. */
export function build(
  { m, commits }: History,
  s: TrendState,
  series: Series,
  window: [number, number],
  base: number | null,
): Model {
  const metric = metricOf(m.metrics, shown(m, s).metric);
  const place = Array.from({ length: m.commits.count }, (_, i) => i);
  const model: Model = {
    metric,
    place,
    x: place,
    epoch: epochsOf(m),
    rows: [],
    absolute: metric.absolute ?? false,
    undated: 0,
  };
  model.rows = m.servers.flatMap((server, slot) =>
    s.servers.includes(server.name)
      ? [rowOf(s, series, model, server.name, slot, window, base)]
      : [],
  );
  if (s.x === 'date') byDate(commits, model);
  return model;
}

/** Scales and smooths. */
function rowOf(
  s: TrendState,
  series: Series,
  model: Model,
  server: string,
  slot: number,
  window: [number, number],
  base: number | null,
): Row {
  const column = series.servers[server];
  const noise = series.noise[server] ?? [];
  const of = (values: Values | undefined): Values => model.place.map((i) => values?.[i] ?? null);
  const raw = of(column?.m);
  const status = model.place.map((i): Status => column?.s[i] ?? 2);
  const scale = scaleOf(s, model, raw, window, base);
  const scaled = (values: Values): Values =>
    values.map((v, i) => {
      const by = scale(i);
      const shown = v === null || by === null ? null : v * by;
      return shown !== null && s.y === 'log' && shown <= 0 ? null : shown;
    });
  const points = scaled(raw);
  const line = s.smooth ? rolling(points, model.epoch, (i) => status[i] === 1) : points;
  const [low, high] = noiseBand(line, model.epoch, noise, model.absolute, scale);
  return {
    server,
    slot,
    m: points,
    line,
    low: s.y === 'log' ? low.map((v) => (v !== null && v <= 0 ? null : v)) : low,
    high,
    least: scaled(of(column?.l)),
    most: scaled(of(column?.h)),
    s: status,
    noise,
    raw,
  };
}

/**
 * Whether a point was measured and the axis cannot show it: a logarithm of 0 or less, or a share
 * without a base.
 */
export const offAxis = (r: Row, i: number): boolean =>
  (r.raw[i] ?? null) !== null && (r.m[i] ?? null) === null;

/** How many of them are in view. */
export const leftOut = (model: Model, [from, to]: [number, number]): number =>
  model.rows.reduce(
    (n, r) => n + model.place.filter((p, i) => p >= from && p <= to && offAxis(r, i)).length,
    0,
  );

/** The factor that turns a value into the shown one; null: its epoch has no base. */
function scaleOf(
  s: TrendState,
  { metric, epoch }: Model,
  raw: Values,
  [from, to]: [number, number],
  base: number | null,
): (i: number) => number | null {
  if (s.y !== 'relative') return () => metric.scale;
  const bases = new Map<number, number>(); // by epoch
  const [first, last] = base === null ? [from, to] : [base, base];
  for (let i = first; i <= last; i++) {
    const v = raw[i] ?? null;
    if (v !== null && !bases.has(epoch[i]!)) bases.set(epoch[i]!, v);
  }
  return (i) => {
    const of = bases.get(epoch[i]!) ?? 0;
    return of > 0 ? 100 / of : null;
  };
}

function byDate({ time }: Commits, model: Model): void {
  const order = model.place
    .filter((i) => (time[i] ?? null) !== null)
    .sort((a, b) => time[a]! - time[b]! || a - b);
  const pick = <T>(values: T[]): T[] => order.map((i) => values[i]!);
  model.undated = model.place.length - order.length;
  model.x = pick(time) as number[];
  model.place = order;
  model.epoch = pick(model.epoch);
  for (const row of model.rows) {
    for (const key of ['m', 'line', 'low', 'high', 'least', 'most', 'raw'] as const)
      row[key] = pick(row[key]);
    row.s = pick(row.s);
  }
}
