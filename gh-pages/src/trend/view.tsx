// The view of a history: its sentences, the chart or the table, the small history below,
// events, and the chosen commit.
import { useMemo, useRef } from 'preact/hooks';
import { Button } from '../frame/button.tsx';
import { Live } from '../chart/live.tsx';
import { commitAt, placeOf } from '../data/commits.ts';
import { root, failureWords, type Site } from '../data/fetch.ts';
import type { Commits, Events, Series } from '../data/form.ts';
import { Loading } from '../frame/frame.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/href.ts';
import type { Asked } from '../state/answer.tsx';
import type { Fields } from '../state/url.ts';
import { many } from '../words/numbers.ts';
import {
  changeOf,
  metricOf,
  signs,
  stateOf,
  directionOf,
  directionWords,
  where,
} from '../words/verdict.ts';
import { Caption } from './caption.tsx';
import { useChosen } from './chosen.ts';
import { Detail } from './detail.tsx';
import { Figure } from './figure.tsx';
import { eventsOf, judgedOf, type Seen } from './events.ts';
import { List } from './list.tsx';
import { build } from './model.ts';
import { useNews, windowWords } from './news.ts';
import { within } from './numbers.ts';
import { shown, type TrendState } from './state.ts';
import { Strip } from './strip.tsx';
import { summary, WHY } from './summary.ts';
import { Tools } from './tools.tsx';
import { LEAST, useView, type Window } from './window.ts';

export interface ViewProps {
  site: Site;
  commits: Commits;
  series: Asked<Series>;
  events: Asked<Events>;
  fields: Fields<TrendState>;
  s: TrendState;
  set: (change: Partial<TrendState>, how?: 'push' | 'replace') => void;
}

export function View({ site, commits, series, events, fields, s, set }: ViewProps) {
  const m = site.manifest;
  const { count } = m.commits;
  const h = useMemo(() => ({ m, commits }), [m, commits]);
  const { window, move, strange: lost } = useView(h, s, set);
  const chosen = useChosen(h, s, set);
  const detail = useRef<HTMLElement>(null);

  const { metric, series: name } = shown(m, s);
  const read =
    series.answer?.ok && series.answer.value.series === name ? series.answer.value : null;
  const base = s.y === 'relative' && s.base !== '' ? placeOf(commits, s.base) : null;
  const basePlace = base === -1 ? null : base;
  const model = useMemo(
    () => read && build(h, s, read, window, basePlace),
    // moving the window changes the view only when everything relates to its first point
    [h, read, s.servers.join(), s.x, s.y, s.smooth, basePlace ?? (s.y === 'relative' && window)],
  );
  const seen = useMemo(
    () =>
      events.answer?.ok ? eventsOf(events.answer.value.events, s, judgedOf(m.metrics, metric)) : [],
    [events.answer, s],
  );
  const said = model ? summary(m, s, model, window, seen) : '';
  const [news, tell] = useNews(`${name} ${s.servers.join()} ${s.y}`, model && said);
  const place = chosen.place ?? window[1];
  const notes = [
    lost,
    chosen.unknown && `${s.sel}: no such commit was measured. The newest commit in view is chosen.`,
    base === -1 &&
      `${s.base}: no such commit was measured. Lines are relative to the first commit in view.`,
  ].filter(Boolean);
  const go = (next: number) => {
    chosen.choose(next);
    const half = (window[1] - window[0]) / 2;
    if (next < window[0] || next > window[1]) move(within(next - half, next + half, count, LEAST));
  };
  const shift = (to: Window) => {
    move(to);
    tell(windowWords(to, count));
  };
  const toEvent = (f: Seen) => {
    set({ on: f.event.server }, 'replace');
    go(f.place);
  };
  const inView = seen.filter((f) => f.place >= window[0] && f.place <= window[1]);

  const figure = () => {
    if (!m.series[name])
      return (
        <Notice role="status">
          {metricOf(m.metrics, s.metric).label} is not measured in {s.scenario}.{' '}
          <Button
            onPress={() =>
              set({
                scenario: fields.scenario.initial,
                metric: fields.metric.initial,
                of: 'measured',
              })
            }
          >
            Show {metricOf(m.metrics, fields.metric.initial).label} of {fields.scenario.initial}
          </Button>
        </Notice>
      );
    if (series.answer && !series.answer.ok)
      return (
        <Notice role="alert">
          {failureWords(series.answer)} <Button onPress={series.retry}>Retry</Button>
        </Notice>
      );
    // the sentences over the chart are of events
    if (!model || !read || !events.answer) return <Loading what="the figures" tall />;
    if (s.servers.length === 0)
      return (
        <Notice role="status">
          No server is chosen.{' '}
          <Button onPress={() => set({ servers: fields.servers.initial })}>
            Choose {many(fields.servers.initial.length, 'server')}
          </Button>
        </Notice>
      );
    return (
      <figure data-state="drawn">
        <Said text={said} run={commitAt(commits, count - 1).run} />
        {count < 2 && <p>One run makes no trend. Its figures are in the table.</p>}
        {s.view === 'table' || count < 2 ? (
          <List h={h} s={s} model={model} window={window} seen={seen} go={chosen.choose} />
        ) : (
          <Figure
            h={h}
            s={s}
            set={set}
            model={model}
            window={window}
            seen={seen}
            place={place}
            go={chosen.choose}
            move={move}
            zoom={shift}
            label={`${metricOf(m.metrics, model.metric.name).label} of ${s.scenario}. ${said}`}
            detail={detail}
          />
        )}
        {count > 1 && (
          <Strip
            m={m}
            series={read}
            servers={s.servers}
            window={window}
            seen={seen}
            move={move}
            name={(p) => `commit ${p + 1} of ${count}, ${commitAt(commits, p).sha}`}
            pick={toEvent}
          />
        )}
        {count > 1 && <Caption model={model} s={s} window={window} />}
        {inView.length > 0 && (
          <ul class="events" aria-label="Events in view">
            {inView.toReversed().map((f) => (
              <li>
                <button type="button" class="link" onClick={() => toEvent(f)}>
                  <span class={directionOf(f.cell.verdict)}>
                    {signs[directionOf(f.cell.verdict)]}
                  </span>{' '}
                  {f.event.server} {directionWords[directionOf(f.cell.verdict)]}
                </button>
                : {changeOf(f.cell, m.metrics)} {where(f.event)}, {stateOf(f.event)}
              </li>
            ))}
          </ul>
        )}
        <Detail h={h} s={s} model={model} place={place} seen={seen} go={go} at={detail} />
      </figure>
    );
  };

  return (
    <>
      {notes.map((n) => (
        <Notice role="status">{n}</Notice>
      ))}
      {count > 1 && (
        <Tools s={s} set={set} count={count} window={window} place={place} move={shift} />
      )}
      {events.answer && !events.answer.ok && (
        <Notice role="alert">
          Events cannot be shown: {failureWords(events.answer)}{' '}
          <Button onPress={events.retry}>Retry</Button>
        </Notice>
      )}
      {figure()}
      <Live text={news} />
    </>
  );
}

/** run: the newest. */
function Said({ text, run }: { text: string; run: string | null }) {
  const [before, after] = text.split(WHY);
  return (
    <p class="answer">
      {before}
      {after !== undefined && (
        <>
          <a href={href(root(), 'run', run ? `?id=${encodeURIComponent(run)}` : '')}>{WHY}</a>
          {after}
        </>
      )}
    </p>
  );
}
