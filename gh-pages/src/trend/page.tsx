import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../frame/button.tsx';
import { Live } from '../chart/live.tsx';
import { root, told, type Site } from '../data/fetch.ts';
import { Loading } from '../frame/frame.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/pages.ts';
import { strange, useQuery } from '../state/query.ts';
import { many } from '../words/numbers.ts';
import { metricOf } from '../words/verdict.ts';
import { useChosen } from './chosen.ts';
import { Controls } from './controls.tsx';
import { flagsOf, judgedOf } from './flags.ts';
import { build, needs } from './model.ts';
import { useNews, windowWords } from './news.ts';
import { within } from './numbers.ts';
import { fieldsOf, shown } from './state.ts';
import { useStore } from './store.ts';
import { summary } from './summary.ts';
import { Tools } from './tools.tsx';
import { View } from './view.tsx';
import { LEAST, usePlace, useView, type Window } from './window.ts';

export function Trend({ site }: { site: Site }) {
  const m = site.manifest;
  const { count } = m.commits;
  const fields = useMemo(() => fieldsOf(m), [m]);
  const [{ state: s, ...odd }, set] = useQuery(fields);
  const [store, tick] = useStore(site);
  const { window, move, strange: lost } = useView(store, s, set);
  const base = usePlace(store, s.y === 'relative' ? s.base : '');
  const chosen = useChosen(store, tick, s, set);
  const detail = useRef<HTMLElement>(null);

  const { metric, series } = shown(m, s);
  const label = metricOf(m.metrics, metric).label;
  const title = `${label}, ${s.scenario}`;
  useEffect(() => {
    if (m.series[series]) document.title = `${title} · Trend · Fairstream`;
  }, [title]);
  const basePlace = typeof base === 'number' && base >= 0 ? base : null;
  // a chart that has its first points goes on being drawn while others come
  const begun = useRef(false);
  const made = useMemo(
    () => (window ? build(store, s, window, basePlace) : 'loading'),
    window ? [store, ...needs(store, s, window, basePlace)] : [store],
  );
  const result =
    typeof made === 'object' && 'model' in made && made.model.loading && !begun.current
      ? 'loading'
      : made;
  const model = typeof result === 'object' && 'model' in result ? result.model : null;
  if (model) begun.current = true;
  const flags = store.flags();
  const seen = useMemo(
    () => (flags?.ok ? flagsOf(flags.value.flags, s, judgedOf(m.metrics, metric)) : []),
    [flags, s],
  );
  const overview = m.series[series] ? store.overview(series) : undefined;
  const said = model && window ? summary(m, s, model, window, seen) : '';
  const [news, tell] = useNews(
    `${series} ${s.servers.join()} ${s.y}`,
    model && !model.loading ? said : null,
  );
  const controls = useMemo(
    () => <Controls m={m} s={s} set={set} overview={overview} />,
    [m, s, set, overview],
  );

  if (count === 0)
    return (
      <>
        <h1>Trend</h1>
        <Notice>
          No run has been published yet. The first one on main makes the first point; a trend needs
          two.
        </Notice>
      </>
    );
  if (Object.keys(m.series).length === 0) {
    return (
      <>
        <h1>Trend</h1>
        <Notice>
          No run has a point yet: those so far were shortened (-quick), or failed.{' '}
          {m.rank !== null && (
            <>
              What they measured is on the <a href={href(root(), 'leaderboard')}>Leaderboard</a>.
            </>
          )}
        </Notice>
      </>
    );
  }
  const place = chosen.place ?? (window ? window[1] : count - 1);
  const notes = [
    strange(odd),
    lost,
    chosen.unknown &&
      `${s.sel}: no such commit was measured, or its file cannot be read. The newest in view is chosen.`,
    base === -1 &&
      `${s.base}: no such commit was measured: lines are related to the first in view.`,
  ].filter(Boolean);
  const go = (next: number, into = false) => {
    chosen.choose(next);
    if (into && window && (next < window[0] || next > window[1]))
      move(
        within(
          next - (window[1] - window[0]) / 2,
          next + (window[1] - window[0]) / 2,
          count,
          LEAST,
        ),
      );
  };
  const shift = (to: Window) => {
    move(to);
    tell(windowWords(to, count));
  };
  const seenOf = () => {
    if (result === 'none')
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
    if (typeof result === 'object' && 'failure' in result)
      return (
        <Notice role="alert">
          {told(result.failure)} <Button onPress={() => store.retry()}>Retry</Button>
        </Notice>
      );
    if (!model || !window) return <Loading what="the figures" tall />;
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
      <View
        {...{
          store,
          s,
          set,
          model,
          said,
          overview,
          flags,
          seen,
          window,
          place,
          go,
          move,
          shift,
          detail,
        }}
      />
    );
  };

  return (
    <>
      <h1>{title}</h1>
      {notes.map((n) => (
        <Notice role="status">{n}</Notice>
      ))}
      <div class="trend">
        <Sheet title={`${s.scenario}, ${label}, ${many(s.servers.length, 'server')}`}>
          {controls}
        </Sheet>
        <div>
          {window && count > 1 && (
            <Tools s={s} set={set} count={count} window={window} place={place} move={shift} />
          )}
          {seenOf()}
          <Live text={news} />
        </div>
      </div>
    </>
  );
}

/** On a phone what is chosen is folded away. */
function Sheet({ title, children }: { title: string; children: ComponentChildren }) {
  const [wide] = useState(() => matchMedia('(min-width: 60.01rem)').matches);
  return (
    <details class="controls" open={wide}>
      <summary class="sheet">Choose: {title}</summary>
      {children}
    </details>
  );
}
