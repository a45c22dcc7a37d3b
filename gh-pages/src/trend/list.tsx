// The chart as a table: the same window, the same figures.
import { Table, type Col } from '../chart/table.tsx';
import { commitAt } from '../data/commits.ts';
import { differs } from '../data/epochs.ts';
import { day, many, three, value } from '../words/numbers.ts';
import { cut } from '../words/text.ts';
import { changeOf, signs, directionOf, directionWords } from '../words/verdict.ts';
import { unitShown } from './drawn.ts';
import type { Seen } from './events.ts';
import { offAxis, type History, type Model } from './model.ts';
import type { TrendState } from './state.ts';
import type { Window } from './window.ts';
import { pointExact } from './words.ts';

export const PAGE = 25;

export interface ListProps {
  h: History;
  s: TrendState;
  model: Model;
  window: Window;
  seen: Seen[];
  go: (place: number) => void;
}

export function List({ h, s, model, window: [from, to], seen, go }: ListProps) {
  const m = h.m;
  const rows = model.place
    .map((_, i) => i)
    .filter((i) => model.place[i]! >= from && model.place[i]! <= to)
    .sort((a, b) => model.place[b]! - model.place[a]!);
  const flagged = (i: number) => seen.filter((f) => f.place === model.place[i]);
  const commit = (i: number) => commitAt(h.commits, model.place[i]!);
  const started = (i: number) =>
    m.cuts.flatMap(([at, epoch], k) =>
      k > 0 && at === model.place[i]
        ? [differs(m.epochs[m.cuts[k - 1]![1]], m.epochs[epoch]).label]
        : [],
    );
  const unit = unitShown(s, model),
    // "TTFT p95 ms", "req/s"
    named = s.y !== 'relative' && ` ${model.metric.label}`.endsWith(` ${unit}`);
  const cols: Col<number>[] = [
    {
      key: 'commit',
      head: 'commit',
      label: 'commit',
      header: true,
      cell: (i) => (
        <button type="button" class="link" onClick={() => go(model.place[i]!)}>
          {commit(i).sha}
        </button>
      ),
    },
    {
      key: 'subject',
      head: 'subject and events',
      label: 'subject and events',
      words: true,
      cell: (i) => (
        <>
          <bdi>{cut(commit(i).subject ?? '', 80)}</bdi>
          {flagged(i).map((f) => (
            <small class={directionOf(f.cell.verdict)}>
              {signs[directionOf(f.cell.verdict)]} {f.event.server}{' '}
              {directionWords[directionOf(f.cell.verdict)]} {changeOf(f.cell, m.metrics)}
            </small>
          ))}
          {started(i).map((words) => (
            <small>not comparable with the commits before: {words}</small>
          ))}
        </>
      ),
    },
    { key: 'date', head: 'date', label: 'date', cell: (i) => day(commit(i).time) },
    ...model.rows.map((r): Col<number> => ({
      key: r.server,
      head: r.server,
      label: r.server,
      better: model.metric.better,
      sort: (i) => r.m[i] ?? null,
      exact: (i) => pointExact(s, model, r, i),
      cell: (i) =>
        offAxis(r, i) ? (
          <>
            {value(r.raw[i]!, model.metric)}
            <small>not on this axis</small>
          </>
        ) : (r.m[i] ?? null) === null ? (
          <span class="soft">none</span>
        ) : (
          <>
            {three(r.m[i]!)}
            {r.s[i] === 1 && <small>warning</small>}
          </>
        ),
    })),
  ];
  return (
    <div class="list">
      <Table
        caption={`${model.metric.label} of ${s.scenario}${unit === '' || named ? '' : `, ${unit}`}, ${many(rows.length, 'commit')}, newest first`}
        cols={cols}
        rows={rows}
        id={(i) => String(model.place[i])}
        page={PAGE}
        selected={(i) => commit(i).sha === s.sel && s.sel !== ''}
      />
    </div>
  );
}
