// The cells of a comparison as dots: each change with its interval, over its margin.
import { linear } from '../chart/ticks.ts';
import { outline } from '../chart/palette.ts';
import type { CellResult, Effect } from '../data/types.ts';
import { three } from '../words/numbers.ts';
import { markOf, type Direction } from '../words/verdict.ts';

/** No share is drawn farther out, since its interval would flatten all others. */
const FARTHEST = 1;
const ROOM = 1.25;

/** How far the axis goes to both sides: all changes and margins are inside, not all intervals. */
export function farthest(effects: Effect[]): number {
  const reach = ROOM * Math.max(...effects.flatMap((e) => [Math.abs(e.change), e.margin]));
  return effects[0]?.unit === '' ? Math.min(FARTHEST, reach) : reach;
}

/** In per cent of the width, between 0 and 100. */
export const place = (v: number, limit: number): number =>
  Math.round(10 * (50 + (50 * Math.max(-limit, Math.min(limit, v))) / limit)) / 10;

/** The mark of a change. An arrow points to one outside of the picture. */
export function shape(change: number, limit: number, direction: Direction): string {
  if (Math.abs(change) > limit) return change > 0 ? 'M-4 -6L6 0L-4 6Z' : 'M4 -6L-6 0L4 6Z';
  return outline(direction === 'unclear' ? 'circle' : 'diamond', 5);
}

const pct = (v: number) => `${v}%`;

function Row({ cell, effect, limit }: { cell: CellResult; effect: Effect; limit: number }) {
  const { direction, sign } = markOf(cell);
  const [low, high] = [place(effect.low, limit), place(effect.high, limit)];
  const open = cell.verdict === 'inconclusive';
  return (
    <li>
      <span class={cell.decides && 'decides'}>
        {cell.scenario} {cell.metric}
      </span>
      <svg class={`effect ${direction}`} aria-hidden="true">
        <rect
          class="margin"
          x={pct(place(-effect.margin, limit))}
          width={pct(place(effect.margin, limit) - place(-effect.margin, limit))}
          y="7%"
          height="86%"
        />
        <line class="zero" x1="50%" x2="50%" y1="0" y2="100%" />
        <line class="interval" x1={pct(low)} x2={pct(high)} y1="50%" y2="50%" />
        {[
          [effect.low, low],
          [effect.high, high],
        ].map(
          ([v, x]) =>
            Math.abs(v!) <= limit && (
              <line class="interval" x1={pct(x!)} x2={pct(x!)} y1="30%" y2="70%" />
            ),
        )}
        <svg class="dot" x={pct(place(effect.change, limit))} y="50%">
          <path class={open ? 'open' : ''} d={shape(effect.change, limit, direction)} />
        </svg>
      </svg>
      <span class={`now ${direction}`}>
        {sign} {cell.change}
        <span class="hidden">
          , 95 % interval {cell.interval}: {cell.result}
        </span>
      </span>
    </li>
  );
}

/** One axis for the cells of one unit. */
function Plot({ cells }: { cells: (CellResult & { effect: Effect })[] }) {
  const effects = cells.map((c) => c.effect);
  const limit = farthest(effects);
  const { unit } = effects[0]!;
  const by = unit === '' ? 100 : 1;
  const ticks = linear(-limit, limit, 5);
  const text = (v: number) => `${v > 0 ? '+' : ''}${v === 0 ? '0' : three(v * by)}`;
  return (
    <ol class="effects">
      {cells.map((c) => (
        <Row cell={c} effect={c.effect} limit={limit} />
      ))}
      <li class="axis" aria-hidden="true">
        <span class="soft">change, {unit === '' ? '% of base' : unit}</span>
        <svg class="effect">
          {ticks.map((v) => (
            <>
              <line
                class="zero"
                x1={pct(place(v, limit))}
                x2={pct(place(v, limit))}
                y1="0"
                y2="5"
              />
              <text x={pct(place(v, limit))} y="18" text-anchor="middle">
                {text(v).replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros))}
              </text>
            </>
          ))}
        </svg>
      </li>
    </ol>
  );
}

export function Effects({ cells }: { cells: CellResult[] }) {
  const measured = cells.filter((c): c is CellResult & { effect: Effect } => c.effect !== null);
  if (measured.length === 0) return null;
  const units = [...new Set(measured.map((c) => c.effect.unit))];
  return (
    <figure>
      {units.map((unit) => (
        <Plot cells={measured.filter((c) => c.effect.unit === unit)} />
      ))}
      <figcaption>
        A dot is the change of head against base, and its line the 95 % interval. A line without an
        end goes on outside the picture. The shaded band is the margin: a cell has no change when
        its whole line is in the band, and no large change when the line is within twice the band.
        Cells in bold decide whether the server has a verdict. A filled diamond is a change. A
        hollow mark is inconclusive; a hollow diamond leans, since its whole line is outside the
        band. An arrow points to a change outside the picture.
      </figcaption>
    </figure>
  );
}
