// A point of the trend in words, for the line over the chart and for the voice.
import { commitAt } from '../data/commits.ts';
import { day, exact, exactly, share, three, value } from '../words/numbers.ts';
import { directionOf, directionWords } from '../words/verdict.ts';
import { unitShown } from './drawn.ts';
import type { Seen } from './events.ts';
import { offAxis, type History, type Model, type Row } from './model.ts';
import type { TrendState } from './state.ts';

export function pointWords(
  h: History,
  s: TrendState,
  model: Model,
  index: number,
  row: Row | undefined,
  seen: Seen[],
): string {
  const place = model.place[index];
  if (place === undefined) return '';
  const c = commitAt(h.commits, place);
  const which = `commit ${c.sha}, ${day(c.time)}`;
  if (!row) return which;
  const parts = [row.server, which, pointShown(s, model, row, index)];
  const low = row.low[index] ?? null,
    high = row.high[index] ?? null;
  if (row.m[index] !== null && low !== null && high !== null)
    parts.push(`noise ${three(low)} to ${three(high)}`);
  if (row.s[index] === 1) parts.push('warning');
  for (const f of seen)
    if (f.event.server === row.server && f.place === place)
      parts.push(
        `event: ${directionWords[directionOf(f.cell.verdict)]} by ${share(Math.abs(f.cell.change))}`,
      );
  return parts.join(', ');
}

export function shownValue(s: TrendState, model: Model, v: number | null): string {
  if (v === null) return 'not measured';
  const unit = unitShown(s, model);
  return unit === '' ? three(v) : `${three(v)}\u202f${unit}`;
}

/** A point as the axis has it, and as it was measured where it has no place there. */
export const pointShown = (s: TrendState, model: Model, r: Row, i: number): string =>
  offAxis(r, i)
    ? `${value(r.raw[i]!, model.metric)}, not on this axis`
    : shownValue(s, model, r.m[i] ?? null);

export function pointExact(s: TrendState, model: Model, r: Row, i: number): string {
  const v = r.m[i] ?? null;
  return v === null
    ? exactly(r.raw[i] ?? null, model.metric)
    : `${exact(v)} ${unitShown(s, model)}`.trim();
}
