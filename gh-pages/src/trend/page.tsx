import { Button } from '../frame/button.tsx';
import { useMemo, useRef, useState, useEffect } from 'preact/hooks';
import { Live } from '../chart/live.tsx';
import { root, told, type Site } from '../data/fetch.ts';
import { Loading, Notice } from '../frame/frame.tsx';
import { href } from '../frame/pages.ts';
import { strange, useQuery } from '../state/query.ts';
import { count as counted, many } from '../words/numbers.ts';
import { changeOf, metricOf, signs, stateOf, turnOf, turnWords, where } from '../words/verdict.ts';
import { Controls } from './controls.tsx';
import { Detail } from './detail.tsx';
import { Figure } from './figure.tsx';
import { flagsOf, type Seen } from './flags.ts';
import { List } from './list.tsx';
import { build, needs } from './model.ts';
import { useNews, windowWords } from './news.ts';
import { within } from './numbers.ts';
import { fieldsOf, front, shown } from './state.ts';
import { commitAt, useStore } from './store.ts';
import { Strip } from './strip.tsx';
import { noiseWords, summary } from './summary.ts';
import { Tools } from './tools.tsx';
import { LEAST, usePlace, useView, type Window } from './window.ts';

const WRITE_AFTER_MS = 300;

export function Trend({ site }: { site: Site }) {
  const m = site.manifest;
  const fields = useMemo(() => fieldsOf(m), [m]);
  const [{ state: s, ...odd }, set] = useQuery(fields);
  const [store, tick] = useStore(site);
  const view = useView(store, s, set);
  const base = usePlace(store, s.y === 'relative' ? s.base : '');
  const asked = usePlace(store, s.sel);
  const [own, choose] = useState<number | null>(null); // ahead of the address while keys are pressed
  const written = useRef(s.sel);
  const detail = useRef<HTMLElement>(null);

  // The address follows when the commit's hash is known and keys rest.
  useEffect(() => {
    if (own === null) return;
    const timer = setTimeout(() => {
      const sha = commitAt(store, own)?.sha;
      if (!sha) return;
      written.current = sha;
      set({ sel: sha }, 'replace');
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [own, tick]);
  // It leads again when it says the same, or when somebody else changed it.
  useEffect(() => {
    if (s.sel !== written.current) choose(null);
    else choose((now) => (now === asked ? null : now));
  }, [s.sel, asked]);

  const { metric, series } = shown(m, s);
  const window = view.window;
  const basePlace = typeof base === 'number' && base >= 0 ? base : null;
  const begun = useRef(false); // a chart that has its first points goes on being drawn while others come
  const made = useMemo(() => (window ? build(store, s, window, basePlace) : 'loading'), window ? [store, ...needs(store, s, window, basePlace)] : [store]);
  const result = typeof made === 'object' && 'model' in made && made.model.loading && !begun.current ? 'loading' : made;
  if (typeof result === 'object' && 'model' in result) begun.current = true;
  const flags = store.flags();
  const metrics = [s.metric, metric];
  const seen = useMemo(() => (flags?.ok ? flagsOf(flags.value.flags, s, metrics) : []), [flags, s]);
  const overview = m.series[series] ? store.overview(series) : undefined;
  const model = typeof result === 'object' && 'model' in result ? result.model : null;
  const said = model && window ? summary(m, s, model, window, seen) : '';
  const [news, tell] = useNews(`${series} ${s.servers.join()} ${s.y}`, model && !model.loading ? said : null);
  const controls = useMemo(() => <Controls m={m} s={s} set={set} overview={overview} />, [m, s, set, overview]);

  if (m.commits.count === 0) return <><h1>Trend</h1><Notice>No run has been published yet. The first one on main makes the first point; a trend needs two.</Notice></>;
  if (Object.keys(m.series).length === 0) {
    return <><h1>Trend</h1><Notice>No run has a point yet: those so far were shortened (-quick), or failed. {m.rank !== null && <>What they measured is on the <a href={href(root(), 'leaderboard')}>Leaderboard</a>.</>}</Notice></>;
  }
  const place = own ?? (typeof asked === 'number' && asked >= 0 ? asked : window ? window[1] : m.commits.count - 1);
  const label = metricOf(m.metrics, metric).label;
  const notes = [strange(odd), view.strange, s.sel !== '' && asked === -1 && own === null ? `${s.sel}: no such commit was measured, or its file cannot be read. The newest in view is chosen.` : '', base === -1 ? `${s.base}: no such commit was measured: lines are related to the first in view.` : ''].filter(Boolean);
  const go = (next: number, into = false) => {
    choose(next);
    if (into && window && (next < window[0] || next > window[1])) view.move(within(next - (window[1] - window[0]) / 2, next + (window[1] - window[0]) / 2, m.commits.count, LEAST));
  };
  const shift = (to: Window) => { view.move(to); tell(windowWords(to, m.commits.count)); };
  const toFlag = (f: Seen) => { set({ on: f.flag.server }, 'replace'); go(f.place, true); };

  return (
    <>
      <h1>{label}, {s.scenario}</h1>
      {notes.map((n) => <Notice role="status">{n}</Notice>)}
      <div class="trend">
        <Sheet title={`${s.scenario}, ${label}, ${many(s.servers.length, 'server')}`}>{controls}</Sheet>
        <div>
          {window && <Tools s={s} set={set} count={m.commits.count} window={window} place={place} move={shift} />}
          {result === 'loading' || !window ? <Loading what="the figures" tall /> : result === 'none'
            ? <Notice role="status">{metricOf(m.metrics, s.metric).label} is not measured in {s.scenario}. <Button onPress={() => set({ scenario: fields.scenario.initial, metric: fields.metric.initial, of: 'measured' })}>Show {metricOf(m.metrics, fields.metric.initial).label} of {fields.scenario.initial}</Button></Notice>
            : 'failure' in result ? <Notice role="alert">{told(result.failure)} <Button onPress={() => store.retry()}>Retry</Button></Notice>
              : (() => {
                const { model } = result;
                const inView = seen.filter((f) => f.place >= window[0] && f.place <= window[1]);
                if (s.servers.length === 0) return <Notice role="status">No server is chosen. <Button onPress={() => set({ servers: fields.servers.initial })}>Choose {many(fields.servers.initial.length, 'server')}</Button></Notice>;
                return (
                  <figure data-state={model.loading ? 'loading' : 'drawn'} data-bucket={model.bucket}>
                    <p class="answer">{said}</p>
                    {model.unread.map((u) => <Notice role="alert">Commits {counted(u.from + 1)} to {counted(u.to + 1)} could not be loaded: {told(u.why)} <Button onPress={() => store.retry()}>Retry</Button></Notice>)}
                    {flags && !flags.ok && <Notice role="alert">Flags are not shown: {told(flags)} <Button onPress={() => store.retry()}>Retry</Button></Notice>}
                    {m.commits.count < 2 && <p>One run is no trend: the table has its figures.</p>}
                    {s.view === 'table' || m.commits.count < 2
                      ? <List store={store} s={s} model={model} window={window} seen={seen} go={go} />
                      : <Figure store={store} s={s} set={set} model={model} window={window} seen={seen} place={place} go={go} move={view.move} zoom={shift} label={`${label} of ${s.scenario}. ${said}`} detail={detail} />}
                    {overview?.ok && m.commits.count > 1 && <Strip m={m} overview={overview.value} servers={s.servers} window={window} seen={seen} move={view.move} name={(p) => { const c = commitAt(store, p); return `commit ${p + 1} of ${m.commits.count}${c ? `, ${c.sha}` : ''}`; }} pick={toFlag} />}
                    {m.commits.count > 1 && <figcaption><Caption m={model} s={s} window={window} noise={noiseWords(model, front(s))} /></figcaption>}
                    {inView.length > 0 && (
                      <ul class="events" aria-label="Flags in view">
                        {inView.toReversed().map((f) => <li><button type="button" class="link" onClick={() => toFlag(f)}><span class={turnOf(f.cell.verdict)}>{signs[turnOf(f.cell.verdict)]}</span> {f.flag.server} {turnWords[turnOf(f.cell.verdict)]}</button>: {changeOf(f.cell, m.metrics)} {where(f.flag)}, {stateOf(f.flag)}</li>)}
                      </ul>
                    )}
                    <Detail store={store} s={s} model={model} place={place} seen={seen} go={(p) => go(p, true)} at={detail} />
                  </figure>
                );
              })()}
          <Live text={news} />
        </div>
      </div>
    </>
  );
}

function Caption({ m, s, window: [from, to], noise }: { m: import('./model.ts').Model; s: import('./state.ts').TrendState; window: [number, number]; noise: string }) {
  const perPixel = Math.max(1, Math.round((to - from + 1) / 800));
  return (
    <>
      {m.bucket > 1
        ? <>A point is the median of {m.bucket} commits, its band their least and most; zoom in for each commit{perPixel > 1 ? ` (a pixel is about ${perPixel} commits)` : ''}. </>
        : <>A point is the median of a run's rounds; a hollow one is suspect. {s.smooth && 'The line goes through medians of 7 runs. '}{s.band === 'noise' && <>The band is where 95 % of runs of unchanged code would fall; {noise}. </>}</>}
      {m.undated > 0 && <>{many(m.undated, 'commit')} without a known date {m.undated === 1 ? 'is' : 'are'} left out. </>}
      {m.hidden > 0 && <>{many(m.hidden, 'point')} at or under 0 {m.hidden === 1 ? 'has' : 'have'} no place on a logarithmic axis and {m.hidden === 1 ? 'is' : 'are'} left out. </>}
      Unknown is a gap. The axis need not begin at 0; a point far from its line is a triangle at the edge. A dashed line is another machine or ruler, across which nothing compares. <a href={href(root(), 'method', '#points')}>How to read this</a>.
    </>
  );
}

/** On a phone what is chosen is folded away. */
function Sheet({ title, children }: { title: string; children: preact.ComponentChildren }) {
  const [wide] = useState(() => matchMedia('(min-width: 60.01rem)').matches);
  return <details class="controls" open={wide}><summary class="sheet">Choose: {title}</summary>{children}</details>;
}
