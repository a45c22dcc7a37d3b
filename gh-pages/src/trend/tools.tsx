import { Button } from '../frame/button.tsx';
import { within, zoomed } from './numbers.ts';
import { presets, type TrendState } from './state.ts';
import { LEAST, type Window } from './window.ts';

const names: Record<(typeof presets)[number], string> = {
  '50': '50 runs',
  '200': '200 runs',
  '1000': '1,000 runs',
  '90d': '90 days',
  all: 'all',
};

export interface ToolsProps {
  s: TrendState;
  set: (change: Partial<TrendState>) => void;
  count: number;
  window: Window;
  place: number;
  move: (w: Window) => void;
}

/** The preset that is in view; null: something else is. */
export const pressed = (
  s: Pick<TrendState, 'last' | 'from' | 'to'>,
  count: number,
): TrendState['last'] | null =>
  s.from !== '' || s.to !== '' ? null : Number(s.last) >= count ? 'all' : s.last;

/** All that dragging does, as buttons. */
export function Tools({ s, set, count, window: [from, to], place, move }: ToolsProps) {
  const half = Math.max(1, Math.round((to - from + 1) / 2));
  const preset = pressed(s, count);
  return (
    <div class="tools row no-print">
      <div class="row" role="group" aria-label="Newest">
        {presets
          .filter((p) => !/^\d+$/.test(p) || Number(p) < count)
          .map((p) => (
            <button
              type="button"
              aria-pressed={preset === p}
              onClick={() => set({ last: p, from: '', to: '' })}
            >
              {names[p]}
            </button>
          ))}
      </div>
      <div class="row" role="group" aria-label="Move and zoom">
        <Button
          aria-label="Earlier"
          off={from === 0}
          onPress={() => move(within(from - half, to - half, count, LEAST))}
        >
          ◀
        </Button>
        <Button
          aria-label="Later"
          off={to === count - 1}
          onPress={() => move(within(from + half, to + half, count, LEAST))}
        >
          ▶
        </Button>
        <Button
          aria-label="Zoom in"
          off={to - from + 1 <= LEAST}
          onPress={() => move(zoomed([from, to], 0.5, place, count, LEAST))}
        >
          +
        </Button>
        <Button
          aria-label="Zoom out"
          off={to - from + 1 >= count}
          onPress={() => move(zoomed([from, to], 2, place, count, LEAST))}
        >
          −
        </Button>
      </div>
      <div class="row" role="group" aria-label="Shown as">
        {(
          [
            ['chart', 'One chart'],
            ['split', 'A chart each'],
            ['table', 'Show as table'],
          ] as const
        ).map(([v, name]) => (
          <button type="button" aria-pressed={s.view === v} onClick={() => set({ view: v })}>
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}
