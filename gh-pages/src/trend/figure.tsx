// The chart with its keyboard, voice and buttons.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import { act, keysHelp } from '../chart/keys.ts';
import { Live } from '../chart/live.tsx';
import { useDark } from '../frame/theme.ts';
import { drawn, indexOf, placesIn } from './drawn.ts';
import { beside, type Seen } from './events.ts';
import type { History, Model, Row } from './model.ts';
import { within, zoomed } from './numbers.ts';
import { Plot } from './plot.tsx';
import { front, type TrendState } from './state.ts';
import { LEAST, type Window } from './window.ts';
import { pointWords } from './words.ts';

export interface FigureProps {
  h: History;
  s: TrendState;
  set: (change: Partial<TrendState>, how?: 'push' | 'replace') => void;
  model: Model;
  window: Window;
  seen: Seen[];
  place: number;
  go: (place: number) => void;
  move: (w: Window) => void; // along with the point that is chosen
  zoom: (w: Window) => void;
  label: string;
  detail: Ref<HTMLElement> & { current: HTMLElement | null };
}

const NARROW = 640; // pixels: a phone

export function Figure({
  h,
  s,
  set,
  model,
  window,
  seen,
  place,
  go,
  move,
  zoom,
  label,
  detail,
}: FigureProps) {
  const dark = useDark();
  const host = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  const [spoken, speak] = useState(false);
  const { count } = h.m.commits;
  const row = model.rows.find((r) => r.server === front(s));
  const words = pointWords(h, s, model, indexOf(model, place), row, seen);
  const split = s.view === 'split';
  const groups = useMemo(
    (): Row[][] => (split ? model.rows.map((r) => [r]) : [model.rows]),
    [split, model],
  );

  // Set by hand, since a pointer moves faster than a page should be drawn again.
  const say = (text: string) => {
    if (readout.current) readout.current.textContent = text;
  };
  useLayoutEffect(() => say(words), [words]);

  const show = (next: number) => {
    const to = Math.min(count - 1, Math.max(0, next));
    go(to);
    speak(true);
    const [a, b] = window;
    if (to < a) move(within(to, to + b - a, count, LEAST));
    if (to > b) move(within(to - (b - a), to, count, LEAST));
  };
  const keyed = (e: KeyboardEvent) => {
    const what = act(e);
    if (!what) return;
    e.preventDefault();
    switch (what.kind) {
      case 'move':
        return show(place + what.by);
      case 'end':
        return show(what.last ? window[1] : window[0]);
      case 'row': {
        const at = row ? model.rows.indexOf(row) : 0;
        const next = model.rows[(at + what.by + model.rows.length) % model.rows.length];
        if (next) set({ on: next.server }, 'replace');
        return speak(true);
      }
      case 'event': {
        const f = beside(seen, place, what.by);
        if (f) {
          set({ on: f.event.server }, 'replace');
          show(f.place);
        }
        return;
      }
      case 'zoom':
        return zoom(
          what.how === 'all'
            ? [0, count - 1]
            : zoomed(window, what.how === 'in' ? 0.5 : 2, place, count, LEAST),
        );
      case 'open':
        return detail.current?.focus();
      case 'leave':
        return host.current?.parentElement?.querySelector<HTMLElement>('.after-plot')?.focus();
    }
  };
  return (
    <>
      <p class="readout" ref={readout} />
      <div
        class={`plot ${split ? 'split' : 'tall'}`}
        ref={host}
        tabIndex={0}
        role="application"
        aria-roledescription="chart"
        aria-label={label}
        aria-describedby="chart-keys"
        onKeyDown={keyed}
      >
        {groups.map((rows) => (
          <div key={split ? rows[0]!.server : ''}>
            {split && <h2>{rows[0]!.server}</h2>}
            <Plot
              of={(width) =>
                drawn(h, s, model, window, seen, {
                  rows,
                  dark,
                  selected: place,
                  labels: !split && width >= NARROW,
                  height: split ? 190 : width < NARROW ? 260 : 416,
                })
              }
              by={[s, model, window, seen, rows, dark, place]}
              handlers={{
                zoom: (from, to) => {
                  const w = placesIn(s, model, from, to);
                  if (w) move(w);
                },
                pick: (index, line) => {
                  const p = model.place[index];
                  if (p === undefined) return;
                  if (rows[line]) set({ on: rows[line].server }, 'replace');
                  go(p);
                },
                hover: (index, line) =>
                  say(index === null ? words : pointWords(h, s, model, index, rows[line], seen)),
              }}
            />
          </div>
        ))}
      </div>
      <p id="chart-keys" class="after-plot soft keys no-print" tabIndex={-1}>
        {keysHelp} Or drag to look closer, and click a point.
      </p>
      <Live text={spoken ? words : ''} />
    </>
  );
}
