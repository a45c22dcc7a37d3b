// From what is known to what is drawn: words of axes, marks of flags, what is in front.
import type { Manifest } from '../data/form.ts';
import { breaksOf, differs } from '../data/epochs.ts';
import type { Cut, Drawn, Mark } from '../chart/drawn.ts';
import { look } from '../chart/palette.ts';
import { count, day, percent, three, unitOf } from '../words/numbers.ts';
import { absolute, turnOf } from '../words/verdict.ts';
import { firm, type Seen } from './flags.ts';
import type { Model, Row } from './model.ts';
import { front as frontOf, type TrendState } from './state.ts';
import { commitAt, type Store } from './store.ts';
import type { Window } from './window.ts';

/** Bands of more lines than this lie on each other: then only that in front has one. */
const MOST_BANDS = 3;
/** Commits in view up to which a point shows the range of its rounds. */
const MOST_WHISKERS = 200;

export interface Wanted {
  rows: Row[];
  dark: boolean;
  labels: boolean;
  height: number;
  selected: number | null;
}

export function drawn(
  store: Store,
  s: TrendState,
  model: Model,
  window: Window,
  seen: Seen[],
  w: Wanted,
): Drawn {
  const m = store.site.manifest;
  const front = (r: Row) => r.server === frontOf(s) || w.rows.length === 1;
  const beside = (r: Row) => w.rows.length <= MOST_BANDS || front(r);
  const inView = window[1] - window[0] + 1;
  const at = (place: number) => indexOf(model, place);
  const marks = seen.flatMap((f): Mark[] => {
    const line = w.rows.findIndex((r) => r.server === f.flag.server),
      to = at(f.place),
      from = at(f.from);
    if (line < 0 || to < 0) return [];
    const words = absolute(f.cell.metric) ? three(f.cell.change) : percent(f.cell.change);
    return [
      {
        line,
        x: model.x[to]!,
        from: model.x[Math.max(0, from)]!,
        turn: turnOf(f.cell.verdict),
        label: words,
        hollow: !firm(f.flag),
        strong: w.selected !== null && f.place === w.selected,
      },
    ];
  });
  const index = w.selected === null ? -1 : at(w.selected);
  return {
    x: model.x,
    lines: w.rows.map((r) => ({
      name: r.server,
      look: look(r.slot, w.dark),
      m: r.m,
      line: r.line,
      low: r.low,
      high: r.high,
      least: r.least,
      most: r.most,
      doubtful: r.s.map((v) => v === 1),
      strong: front(r),
      band: model.bucket > 1 ? beside(r) || w.rows.length <= 8 : s.band === 'noise' && beside(r),
      whiskers: model.bucket === 1 && inView <= MOST_WHISKERS && beside(r),
    })),
    window: xWindow(s, model, window),
    breaks: new Set(breaksOf(model.epoch)),
    cuts: cutsOf(m, model),
    marks,
    holes:
      s.x === 'commit' ? model.unread.map((u): [number, number] => [u.from - 0.5, u.to + 0.5]) : [],
    selected:
      index < 0
        ? null
        : {
            index,
            line: Math.max(
              0,
              w.rows.findIndex((r) => r.server === frontOf(s)),
            ),
          },
    points: model.bucket === 1,
    time: s.x === 'date',
    log: s.y === 'log',
    dark: w.dark,
    labels: w.labels,
    height: w.height,
    unit:
      s.y === 'relative'
        ? `% of ${s.base || 'the first'}`
        : unitShown(s, model) || model.metric.label,
    xTick: s.x === 'date' ? day : (x) => tick(store, x, model.bucket),
    yTick: (y) =>
      s.y === 'log' && !/^[125]/.test(String(y).replace(/^[0.]+/, '')) ? '' : three(y),
  };
}

/** The commits of a point; the newest bucket may have fewer than the others. */
export const commitsIn = (m: Manifest, model: Model, i: number): number =>
  Math.min(model.bucket, m.commits.count - model.place[i]!);

/**
 * Of the point at a place, or of the bucket with it; -1: outside. By date points are in another
 * order.
 */
export function indexOf(model: Model, place: number): number {
  return model.place.findIndex((p) => p <= place && place < p + model.bucket);
}

export const unitShown = (s: TrendState, model: Model): string =>
  s.y === 'relative' ? '%' : unitOf(model.metric);

/**
 * Between the last point of an epoch and the first of the next; a bucket of both is where it is.
 */
function cutsOf(m: Manifest, { epoch, x }: Model): Cut[] {
  const out: Cut[] = [];
  let last = -1;
  epoch.forEach((e, i) => {
    if (e === null) return;
    const was = epoch[last] ?? null;
    if (was !== null && was !== e)
      out.push({ at: (x[last]! + x[i]!) / 2, ...differs(m.epochs[was], m.epochs[e]) });
    last = i;
  });
  return out;
}

/** A hash says which commit, its date when. */
function tick(store: Store, x: number, bucket: number): string {
  if (!Number.isInteger(x) || x < 0 || x >= store.site.manifest.commits.count) return '';
  const c = commitAt(store, x, bucket > 1); // for words at an axis of ten blocks none is read
  if (!c && bucket > 1) return `commit\n${count(x + 1)}`;
  return c ? `${c.sha.slice(0, 7)}\n${c.time === null ? '' : day(c.time)}` : '';
}

/** Commits that no date is known of are not in a window of dates. */
function xWindow(s: TrendState, model: Model, [from, to]: Window): [number, number] {
  if (s.x === 'commit') return [from - 0.5, Math.max(to + 0.5, from + 0.5)];
  let low = Infinity,
    high = -Infinity;
  model.place.forEach((p, i) => {
    if (p + model.bucket <= from || p > to) return;
    low = Math.min(low, model.x[i]!);
    high = Math.max(high, model.x[i]!);
  });
  if (low > high) return [0, 1];
  const margin = Math.max(3600, (high - low) * 0.005);
  return [low - margin, high + margin];
}

/** The places that a stretch of x is of; null: none. */
export function placesIn(s: TrendState, model: Model, from: number, to: number): Window | null {
  if (s.x === 'commit') return [Math.ceil(from), Math.floor(to)];
  const places = model.place.filter((_, i) => model.x[i]! >= from && model.x[i]! <= to);
  return places.length ? [Math.min(...places), Math.max(...places) + model.bucket - 1] : null;
}
