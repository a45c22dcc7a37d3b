// What is seen of a model that is there: its sentences, the chart or the table, the
// history under it, flags, and the commit that is chosen.
import type { Ref } from 'preact';
import { Button } from '../frame/button.tsx';
import { root, told, type Answer } from '../data/fetch.ts';
import type { Flags, Overview } from '../data/form.ts';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/pages.ts';
import { count as counted } from '../words/numbers.ts';
import { changeOf, metricOf, signs, stateOf, turnOf, turnWords, where } from '../words/verdict.ts';
import { Caption } from './caption.tsx';
import { Detail } from './detail.tsx';
import { Figure } from './figure.tsx';
import type { Seen } from './flags.ts';
import { List } from './list.tsx';
import type { Model } from './model.ts';
import type { TrendState } from './state.ts';
import { commitAt, type Store } from './store.ts';
import { Strip } from './strip.tsx';
import { WHY } from './summary.ts';
import type { Window } from './window.ts';

export interface ViewProps {
  store: Store;
  s: TrendState;
  set: (change: Partial<TrendState>, how?: 'push' | 'replace') => void;
  model: Model;
  said: string;
  overview: Answer<Overview> | undefined;
  flags: Answer<Flags> | undefined;
  seen: Seen[];
  window: Window;
  place: number;
  go: (place: number, into?: boolean) => void;
  move: (w: Window) => void;
  shift: (w: Window) => void; // and says so
  detail: Ref<HTMLElement> & { current: HTMLElement | null };
}

export function View({
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
}: ViewProps) {
  const m = store.site.manifest;
  const { count } = m.commits;
  const inView = seen.filter((f) => f.place >= window[0] && f.place <= window[1]);
  const toFlag = (f: Seen) => {
    set({ on: f.flag.server }, 'replace');
    go(f.place, true);
  };
  const name = (p: number) => {
    const c = commitAt(store, p);
    return `commit ${p + 1} of ${count}${c ? `, ${c.sha}` : ''}`;
  };
  return (
    <figure data-state={model.loading ? 'loading' : 'drawn'} data-bucket={model.bucket}>
      <Said text={said} run={commitAt(store, count - 1)?.run ?? null} />
      {model.unread.map((u) => (
        <Notice role="alert">
          Commits {counted(u.from + 1)} to {counted(u.to + 1)} could not be loaded: {told(u.why)}{' '}
          <Button onPress={() => store.retry()}>Retry</Button>
        </Notice>
      ))}
      {flags && !flags.ok && (
        <Notice role="alert">
          Flags are not shown: {told(flags)} <Button onPress={() => store.retry()}>Retry</Button>
        </Notice>
      )}
      {count < 2 && <p>One run is no trend: the table has its figures.</p>}
      {s.view === 'table' || count < 2 ? (
        <List store={store} s={s} model={model} window={window} seen={seen} go={go} />
      ) : (
        <Figure
          store={store}
          s={s}
          set={set}
          model={model}
          window={window}
          seen={seen}
          place={place}
          go={go}
          move={move}
          zoom={shift}
          label={`${metricOf(m.metrics, model.metric.name).label} of ${s.scenario}. ${said}`}
          detail={detail}
        />
      )}
      {overview?.ok && count > 1 && (
        <Strip
          m={m}
          overview={overview.value}
          servers={s.servers}
          window={window}
          seen={seen}
          move={move}
          name={name}
          pick={toFlag}
        />
      )}
      {count > 1 && <Caption model={model} s={s} window={window} />}
      {inView.length > 0 && (
        <ul class="events" aria-label="Flags in view">
          {inView.toReversed().map((f) => (
            <li>
              <button type="button" class="link" onClick={() => toFlag(f)}>
                <span class={turnOf(f.cell.verdict)}>{signs[turnOf(f.cell.verdict)]}</span>{' '}
                {f.flag.server} {turnWords[turnOf(f.cell.verdict)]}
              </button>
              : {changeOf(f.cell, m.metrics)} {where(f.flag)}, {stateOf(f.flag)}
            </li>
          ))}
        </ul>
      )}
      <Detail
        store={store}
        s={s}
        model={model}
        place={place}
        seen={seen}
        go={(p) => go(p, true)}
        at={detail}
      />
    </figure>
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
