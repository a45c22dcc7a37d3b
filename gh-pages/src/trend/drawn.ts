// From what is known to what is drawn: words of axes, marks of events, what is in front.
import { commitAt } from '../data/commits.ts';
import type { Manifest } from '../data/form.ts';
import { breaksOf, differs } from '../data/epochs.ts';
import type { Cut, Drawn, Mark } from '../chart/drawn.ts';
import { look } from '../chart/palette.ts';
import { day, percent, three, unitOf } from '../words/numbers.ts';
import { absolute, directionOf } from '../words/verdict.ts';
import { firm, type Seen } from './events.ts';
import type { History, Model, Row } from './model.ts';
import { front as frontOf, type TrendState } from './state.ts';
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
  h: History,
  s: TrendState,
  model: Model,
  window: Window,
  seen: Seen[],
  w: Wanted,
): Drawn {
  const m = h.m;
  const front = (r: Row) => r.server === frontOf(s) || w.rows.length === 1;
  const beside = (r: Row) => w.rows.length <= MOST_BANDS || front(r);
  const inView = window[1] - window[0] + 1;
  const at = (place: number) => indexOf(model, place);
  const marks = seen.flatMap((f): Mark[] => {
    const line = w.rows.findIndex((r) => r.server === f.event.server),
      to = at(f.place),
      from = at(f.from);
    if (line < 0 || to < 0) return [];
    const words = absolute(f.cell.metric) ? three(f.cell.change) : percent(f.cell.change);
    return [
      {
        line,
        x: model.x[to]!,
        from: model.x[Math.max(0, from)]!,
        direction: directionOf(f.cell.verdict),
        label: words,
        hollow: !firm(f.event),
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
      warned: r.s.map((v) => v === 1),
      strong: front(r),
      band: s.band === 'noise' && beside(r),
      whiskers: inView <= MOST_WHISKERS && beside(r),
    })),
    window: xWindow(s, model, window),
    breaks: new Set(breaksOf(model.epoch)),
    cuts: cutsOf(m, model),
    marks,
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
    time: s.x === 'date',
    log: s.y === 'log',
    dark: w.dark,
    labels: w.labels,
    height: w.height,
    unit:
      s.y === 'relative'
        ? `% of ${s.base || 'the first'}`
        : unitShown(s, model) || model.metric.label,
    xTick: s.x === 'date' ? day : (x) => tick(h, x),
    yTick: (y) =>
      s.y === 'log' && !/^[125]/.test(String(y).replace(/^[0.]+/, '')) ? '' : three(y),
  };
}

/** Of the point at a place; -1: it has none. By date points are in another order. */
export const indexOf = (model: Model, place: number): number => model.place.indexOf(place);

export const unitShown = (s: TrendState, model: Model): string =>
  s.y === 'relative' ? '%' : unitOf(model.metric);

/** Between the last point of an epoch and the first of the next. */
const cutsOf = (m: Manifest, { epoch, x }: Model): Cut[] =>
  breaksOf(epoch).map((i) => ({
    at: (x[i - 1]! + x[i]!) / 2,
    ...differs(m.epochs[epoch[i - 1]!], m.epochs[epoch[i]!]),
  }));

/** A hash says which commit, its date when. */
function tick(h: History, x: number): string {
  const { sha, time } = commitAt(h.commits, x);
  return sha && `${sha.slice(0, 7)}\n${time === null ? '' : day(time)}`;
}

/** Commits that no date is known of are not in a window of dates. */
function xWindow(s: TrendState, model: Model, [from, to]: Window): [number, number] {
  if (s.x === 'commit') return [from - 0.5, Math.max(to + 0.5, from + 0.5)];
  let low = Infinity,
    high = -Infinity;
  model.place.forEach((p, i) => {
    if (p < from || p > to) return;
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
  return places.length ? [Math.min(...places), Math.max(...places)] : null;
}
