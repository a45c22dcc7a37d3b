// What the chart draws, from the files that are there: at most about two thousand
// commits as they are, more as the overview's buckets.
import type { Values } from '../chart/stretches.ts';
import { epochsOf } from '../data/epochs.ts';
import type { Failure } from '../data/fetch.ts';
import type { Manifest, Metric, Noise, Overview, Status } from '../data/form.ts';
import { metricOf } from '../words/verdict.ts';
import { noiseBand, rolling, SMOOTH } from './numbers.ts';
import { shown, type TrendState } from './state.ts';
import { commitAt, type Store } from './store.ts';

export interface Row {
  server: string;
  slot: number;
  m: Values; // as shown: scaled, or per cent of the base
  line: Values;
  low: Values; // of the noise band, or of a bucket's commits
  high: Values;
  least: Values; // of the rounds
  most: Values;
  s: Status[];
  noise: Noise[];
  raw: Values; // in the metric's own unit
}

export interface Model {
  metric: Metric;
  series: string;
  bucket: number;
  place: number[]; // of each point, ascending in x; of a bucket its first commit
  x: number[];
  epoch: (number | null)[]; // null: a bucket with commits of several
  rows: Row[];
  absolute: boolean; // noise is in the metric's unit
  unread: { from: number; to: number; why: Failure }[];
  loading: boolean;
  undated: number; // left out of a chart by date
}

export type Result = { model: Model } | { failure: Failure } | 'loading' | 'none';

/** Commits up to which a window shows each of them; above, buckets. */
const MOST_IN_DETAIL = 2048;

/** Runs before the first in view that its line goes through. */
export const BEFORE = SMOOTH >> 1;

export function build(
  store: Store,
  s: TrendState,
  [from, to]: [number, number],
  basePlace: number | null,
): Result {
  const m = store.site.manifest;
  const { metric: name, series } = shown(m, s);
  if (!m.series[series]) return 'none';
  const answer = store.overview(series);
  if (!answer) {
    if (to - from + 1 <= MOST_IN_DETAIL)
      // needed soon, and their names are known
      for (const block of blocksOf(from, to, m)) store.commits(block);
    return 'loading';
  }
  if (!answer.ok) return { failure: answer };
  const overview = answer.value;
  const metric = metricOf(m.metrics, name);
  const detail = overview.bucket === 1 ? true : to - from + 1 <= MOST_IN_DETAIL;
  const model: Model = {
    metric,
    series,
    bucket: detail ? 1 : overview.bucket,
    place: [],
    x: [],
    epoch: [],
    rows: [],
    absolute: metric.absolute ?? false,
    unread: [],
    loading: false,
    undated: 0,
  };
  places(store, model, detail ? blocksOf(from, to, m) : null);
  const chosen = m.servers
    .map((server, slot) => ({ server: server.name, slot }))
    .filter((x) => s.servers.includes(x.server));
  for (const { server, slot } of chosen) {
    const row: Row = {
      server,
      slot,
      m: [],
      line: [],
      low: [],
      high: [],
      least: [],
      most: [],
      s: [],
      noise: overview.noise[server] ?? [],
      raw: [],
    };
    if (detail) inDetail(store, overview, blocksOf(from, to, m), model, row);
    else inBuckets(overview, model, row);
    model.rows.push(row);
  }
  if (detail) unreadOf(store, series, blocksOf(from, to, m), model);
  finish(store, s, overview, model, [from, to], basePlace);
  return { model };
}

/**
 * All that a model depends on: a window that moves inside its blocks, or a file for something else,
 * makes no other.
 */
export function needs(
  store: Store,
  s: TrendState,
  [from, to]: [number, number],
  basePlace: number | null,
): unknown[] {
  const m = store.site.manifest;
  const { series } = shown(m, s);
  const overview = m.series[series] ? store.overview(series) : undefined;
  const detail = to - from + 1 <= MOST_IN_DETAIL || (overview?.ok && overview.value.bucket === 1);
  const blocks = detail ? blocksOf(from, to, m) : [];
  const related = s.y === 'relative';
  return [
    JSON.stringify([
      series,
      s.servers,
      s.x,
      s.y,
      s.smooth,
      blocks,
      related && basePlace === null ? [from, to] : basePlace,
    ]),
    overview,
    ...(overview?.ok ? blocks.flatMap((b) => [store.shard(series, b), store.commits(b)]) : []),
    related && basePlace !== null && overview?.ok
      ? store.shard(series, Math.floor(basePlace / m.commits.block))
      : null,
  ];
}

/** The blocks that a window touches, and those that its first line goes through. */
function blocksOf(from: number, to: number, m: Manifest): number[] {
  const first = Math.floor(Math.max(0, from - BEFORE) / m.commits.block),
    last = Math.floor(to / m.commits.block);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** blocks: null is the whole history, in buckets. */
function places(store: Store, model: Model, blocks: number[] | null): void {
  const { count, block } = store.site.manifest.commits;
  const first = blocks ? blocks[0]! * block : 0;
  const end = blocks ? Math.min(count, (blocks.at(-1)! + 1) * block) : count;
  for (let p = first; p < end; p += model.bucket) model.place.push(p);
  model.epoch = epochsOf(store.site.manifest, model.place, model.bucket);
}

function inDetail(
  store: Store,
  overview: Overview,
  blocks: number[],
  model: Model,
  row: Row,
): void {
  const { block, count } = store.site.manifest.commits;
  const q = overview.quantum;
  for (const b of blocks) {
    const answer = store.shard(model.series, b);
    const column = answer?.ok ? answer.value.servers[row.server] : undefined;
    for (let i = 0; i < Math.min(block, count - b * block); i++) {
      const mid = column?.m[i] ?? null,
        less = column?.l[i] ?? null,
        more = column?.h[i] ?? null;
      row.raw.push(mid === null ? null : mid * q);
      row.least.push(mid === null || less === null ? null : (mid - less) * q);
      row.most.push(mid === null || more === null ? null : (mid + more) * q);
      row.s.push(column?.s[i] ?? 2);
    }
  }
}

function inBuckets(overview: Overview, model: Model, row: Row): void {
  const column = overview.servers[row.server];
  const of = (values: (number | null)[] | undefined): Values =>
    model.place.map((_, i) => {
      const v = values?.[i] ?? null;
      return v === null ? null : v * overview.quantum;
    });
  row.raw = of(column?.m);
  row.low = of(column?.lo);
  row.high = of(column?.hi);
  row.s = row.raw.map((v) => (v === null ? 2 : 0));
  row.least = row.most = row.raw.map(() => null);
}

/** Ranges of the history that could not be read, or are on their way. */
function unreadOf(store: Store, series: string, blocks: number[], model: Model): void {
  const { block, count } = store.site.manifest.commits;
  for (const b of blocks) {
    const answers = [store.shard(series, b), store.commits(b)];
    if (answers.some((a) => a === undefined)) model.loading = true;
    const why = answers[0];
    if (why && !why.ok)
      model.unread.push({ from: b * block, to: Math.min(count, (b + 1) * block) - 1, why });
  }
}

/** Scales, smooths, and orders by date where asked. */
function finish(
  store: Store,
  s: TrendState,
  overview: Overview,
  model: Model,
  window: [number, number],
  basePlace: number | null,
): void {
  for (const row of model.rows) {
    const scale = scaleOf(store, s, model, row, window, basePlace, overview);
    const scaled = (values: Values): Values =>
      values.map((v, i) => {
        const by = scale(i);
        const shown = v === null || by === null ? null : v * by;
        return shown !== null && s.y === 'log' && shown <= 0 ? null : shown;
      });
    row.m = scaled(row.raw);
    row.least = scaled(row.least);
    row.most = scaled(row.most);
    row.line =
      model.bucket === 1 && s.smooth ? rolling(row.m, model.epoch, (i) => row.s[i] === 1) : row.m;
    if (model.bucket > 1) [row.low, row.high] = [scaled(row.low), scaled(row.high)];
    else [row.low, row.high] = noiseBand(row.line, model.epoch, row.noise, model.absolute, scale);
    if (s.y === 'log') row.low = row.low.map((v) => (v !== null && v <= 0 ? null : v));
  }
  if (s.x === 'commit') model.x = model.place;
  else byDate(store, overview, model);
}

/**
 * Whether a point was measured and the axis cannot show it: a logarithm of what is not above 0, or
 * a share of no base.
 */
export const offAxis = (r: Row, i: number): boolean =>
  (r.raw[i] ?? null) !== null && (r.m[i] ?? null) === null;

/** How many of them are in view. */
export const leftOut = (model: Model, window: [number, number]): number =>
  model.rows.reduce(
    (n, r) => n + model.place.filter((_, i) => inside(model, i, window) && offAxis(r, i)).length,
    0,
  );

const inside = (model: Model, i: number, [from, to]: [number, number]): boolean =>
  model.place[i]! + model.bucket > from && model.place[i]! <= to;

/** What a value is times, to be shown; null: there is no base to relate it to, in its epoch. */
function scaleOf(
  store: Store,
  s: TrendState,
  model: Model,
  row: Row,
  window: [number, number],
  basePlace: number | null,
  overview: Overview,
): (i: number) => number | null {
  if (s.y !== 'relative') return () => model.metric.scale;
  const bases = new Map<number, number>(); // by epoch
  const take = (epoch: number | null | undefined, base: number) => {
    if (typeof epoch === 'number' && !bases.has(epoch)) bases.set(epoch, base);
  };
  if (basePlace !== null) {
    // The commit's own figure, even where buckets are drawn, or it is far outside.
    const answer = store.shard(
      model.series,
      Math.floor(basePlace / store.site.manifest.commits.block),
    );
    if (!answer) model.loading = true;
    const base = answer?.ok
      ? (answer.value.servers[row.server]?.m[basePlace - answer.value.first] ?? null)
      : null;
    if (base !== null)
      take(epochsOf(store.site.manifest, [basePlace], 1)[0], base * overview.quantum);
  } else {
    row.raw.forEach((v, i) => {
      if (v !== null && inside(model, i, window)) take(model.epoch[i], v);
    });
  }
  return (i) => {
    const base = bases.get(model.epoch[i] ?? -1) ?? 0;
    return base > 0 ? 100 / base : null;
  };
}

function byDate(store: Store, overview: Overview, model: Model): void {
  const times = model.bucket > 1 ? (overview.times ?? []) : undefined;
  const time = model.place.map((p, i) => (times ? times[i] : commitAt(store, p)?.time) ?? null);
  const order = time
    .map((_, i) => i)
    .filter((i) => time[i] !== null)
    .sort((a, b) => time[a]! - time[b]! || a - b);
  model.undated = model.place.filter(
    (p, i) => time[i] === null && (times ?? commitAt(store, p)) !== undefined,
  ).length;
  const pick = <T>(values: T[]): T[] => order.map((i) => values[i]!);
  model.x = pick(time) as number[];
  model.place = pick(model.place);
  model.epoch = pick(model.epoch);
  for (const row of model.rows) {
    for (const key of ['m', 'line', 'low', 'high', 'least', 'most', 'raw'] as const)
      row[key] = pick(row[key]);
    row.s = pick(row.s);
  }
}
