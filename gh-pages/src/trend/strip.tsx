// The whole history at a glance, with the window in view, which readers can move and widen. Under
// it is a lane of events.
import { useMemo, useRef } from 'preact/hooks';
import { breaksIn, differs } from '../data/epochs.ts';
import type { Manifest, Series } from '../data/form.ts';
import { look } from '../chart/palette.ts';
import { path } from '../chart/sparkline.tsx';
import { useDark } from '../frame/theme.ts';
import { signs, directionOf } from '../words/verdict.ts';
import type { Seen } from './events.ts';
import { within } from './numbers.ts';
import { LEAST, type Window } from './window.ts';

const WIDE = 1000,
  TALL = 48;
const STEP_SHARE = 0.05; // of the window, with an arrow key

export interface StripProps {
  m: Manifest;
  series: Series;
  servers: readonly string[];
  window: Window;
  seen: Seen[];
  move: (w: Window) => void;
  name: (place: number) => string;
  pick: (f: Seen) => void;
}

export function Strip({
  m,
  series,
  servers,
  window: [from, to],
  seen,
  move,
  name,
  pick,
}: StripProps) {
  const dark = useDark();
  const box = useRef<HTMLDivElement>(null);
  const { count } = m.commits;
  const share = (place: number) => (count < 2 ? 0 : place / count);
  const cuts = m.cuts
    .slice(1)
    .map(([at, epoch], i): [number, string] => [
      at,
      differs(m.epochs[m.cuts[i]![1]], m.epochs[epoch]).label,
    ]);
  const lines = useMemo(
    () => <Lines m={m} series={series} servers={servers} dark={dark} />,
    [m, series, servers, dark],
  ); // they stay while the window moves

  const drag = (e: PointerEvent, what: 'from' | 'to' | 'both') => {
    if (e.button !== 0) return;
    const target = e.currentTarget as HTMLElement;
    const width = box.current!.clientWidth,
      begin = e.clientX,
      span = to - from;
    target.setPointerCapture(e.pointerId);
    const moved = (event: PointerEvent) => {
      const by = Math.round(((event.clientX - begin) / width) * count);
      if (what === 'both') move(within(from + by, from + by + span, count, LEAST));
      else if (what === 'from') move([Math.max(0, Math.min(from + by, to - LEAST + 1)), to]);
      else move([from, Math.min(count - 1, Math.max(to + by, from + LEAST - 1))]);
    };
    const done = () => {
      target.removeEventListener('pointermove', moved);
      target.removeEventListener('pointerup', done);
      target.removeEventListener('pointercancel', done);
    };
    target.addEventListener('pointermove', moved);
    target.addEventListener('pointerup', done);
    target.addEventListener('pointercancel', done);
  };
  const keyed = (e: KeyboardEvent, what: 'from' | 'to') => {
    const step = Math.max(1, Math.round((to - from) * STEP_SHARE)) * (e.shiftKey ? 10 : 1);
    const by = {
      ArrowLeft: -step,
      ArrowDown: -step,
      ArrowRight: step,
      ArrowUp: step,
      Home: -count,
      End: count,
    }[e.key];
    if (by === undefined) return;
    e.preventDefault();
    if (what === 'from') move([Math.max(0, Math.min(from + by, to - LEAST + 1)), to]);
    else move([from, Math.min(count - 1, Math.max(to + by, from + LEAST - 1))]);
  };
  const jump = (e: MouseEvent) => {
    if (e.target !== e.currentTarget) return;
    const middle = (e.offsetX / box.current!.clientWidth) * count,
      half = (to - from) / 2;
    move(within(middle - half, middle + half, count, LEAST));
  };
  const grip = (what: 'from' | 'to', place: number) => (
    <span
      class={`grip ${what}`}
      role="slider"
      tabIndex={0}
      aria-label={what === 'from' ? 'Begin of the view' : 'End of the view'}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={place + 1}
      aria-valuetext={name(place)}
      onKeyDown={(e) => keyed(e, what)}
      onPointerDown={(e) => {
        e.stopPropagation();
        drag(e, what);
      }}
    />
  );
  return (
    <div class="strip">
      <div class="whole" ref={box} onClick={jump}>
        {lines}
        <div
          class="seen"
          style={{
            left: `${100 * share(from)}%`,
            width: `${100 * Math.max(0.002, share(to + 1) - share(from))}%`,
          }}
          onPointerDown={(e) => drag(e, 'both')}
        >
          {grip('from', from)}
          {grip('to', to)}
        </div>
      </div>
      <div class="lane" aria-hidden="true">
        {cuts.map(([at, words]) => (
          <span class="epoch" style={{ left: `${100 * share(at)}%` }} title={words} />
        ))}
        {seen.map((f) => (
          <span
            class={`mark ${directionOf(f.cell.verdict)}`}
            style={{ left: `${100 * share(f.place + 0.5)}%` }}
            title={`${f.event.server}: ${f.cell.verdict}`}
            onClick={() => pick(f)}
          >
            {signs[directionOf(f.cell.verdict)]}
          </span>
        ))}
      </div>
    </div>
  );
}

function Lines({
  m,
  series,
  servers,
  dark,
}: {
  m: Manifest;
  series: Series;
  servers: readonly string[];
  dark: boolean;
}) {
  const rows = m.servers.flatMap((server, slot) =>
    servers.includes(server.name) && series.servers[server.name]
      ? [{ slot, values: series.servers[server.name]!.m }]
      : [],
  );
  let low = Infinity,
    high = -Infinity;
  for (const r of rows)
    for (const v of r.values)
      if (v !== null) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
  const y = (v: number) =>
    Math.round(10 * (high === low ? TALL / 2 : 3 + ((TALL - 6) * (high - v)) / (high - low))) / 10;
  const x = (i: number) => Math.round((10 * (i + 0.5) * WIDE) / m.commits.count) / 10;
  const breaks = breaksIn(m);
  return (
    <svg viewBox={`0 0 ${WIDE} ${TALL}`} preserveAspectRatio="none" aria-hidden="true">
      {rows.map((r) => (
        <path
          d={path(r.values, x, y, breaks)}
          fill="none"
          stroke={look(r.slot, dark).colour}
          stroke-width={1}
          stroke-linecap="round"
          vector-effect="non-scaling-stroke"
        />
      ))}
      {m.cuts.slice(1).map(([at]) => (
        <path
          d={`M${(at * WIDE) / m.commits.count} 0V${TALL}`}
          stroke="var(--soft)"
          stroke-dasharray="3 3"
          vector-effect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
