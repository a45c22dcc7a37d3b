// Base and head, round by round.
import { Lines, type Line } from '../chart/lines.tsx';
import { Mark, type Looks } from '../chart/mark.tsx';
import { linear } from '../chart/ticks.ts';
import type { CellResult, ServerVerdict } from '../data/types.ts';
import { many, three } from '../words/numbers.ts';

const HEIGHT = 150;
const sides = ['base', 'head'] as const;

function Panel({ of, cell, looks }: { of: ServerVerdict; cell: CellResult; looks: Looks }) {
  const known = cell.values.flatMap((v) => v ?? []);
  if (known.length === 0) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const room = 0.1 * (high - low || Math.abs(high) || 1);
  const [min, max] = [low - room, high + room];
  const points = (side: number) =>
    of.rounds.map((_, i) => [i, cell.values[i]?.[side] ?? null] as const);
  const lines = sides.flatMap((side, i): Line[] => {
    const line = { name: side, look: looks(`${of.server}@${side}`), points: points(i) };
    return [line, { ...line, dots: true }];
  });
  return (
    <figure>
      <h4>
        {cell.scenario} {cell.metric}
      </h4>
      <Lines
        height={HEIGHT}
        lines={lines}
        label={
          `${cell.scenario} ${cell.metric} of ${of.server} in ${many(of.rounds.length, 'round')}: ` +
          `mean ${cell.base} for base and ${cell.head} for head.`
        }
        x={{
          min: 0,
          max: Math.max(1, of.rounds.length - 1),
          title: 'round',
          ticks: of.rounds.map((n, i) => [i, String(n)]),
        }}
        y={{ min, max, title: '', ticks: linear(min, max, 4).map((v) => [v, three(v)]) }}
      />
    </figure>
  );
}

export function Rounds({ of, looks }: { of: ServerVerdict; looks: Looks }) {
  const cells = of.cells.filter((c) => c.values.some((v) => v !== null));
  if (cells.length === 0) return null;
  const narrow = matchMedia('(max-width: 40rem)').matches;
  return (
    <details open={!narrow}>
      <summary>Base and head in each of the {of.rounds.length} rounds that count</summary>
      <ul class="legend" aria-label="How base and head are drawn">
        {sides.map((side) => (
          <li>
            <Mark of={looks(`${of.server}@${side}`)} /> {side}
          </li>
        ))}
      </ul>
      <div class="panels">
        {cells.map((c) => (
          <Panel of={of} cell={c} looks={looks} />
        ))}
      </div>
    </details>
  );
}
