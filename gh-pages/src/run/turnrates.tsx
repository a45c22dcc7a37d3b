import { Lines, type Line } from '../chart/lines.tsx';
import { Mark, type Looks } from '../chart/mark.tsx';
import { linear } from '../chart/ticks.ts';
import { turns, warmUp, type Loading } from '../data/details.ts';
import { three } from '../words/numbers.ts';
import { inOrder } from './states.tsx';

export interface Rate {
  at: number;
  per_s: number;
}

/** Streams per second of each turn on a plateau, by target; seconds from the plateau's begin. */
export function ratesOf(loading: Loading, plateau: string): Map<string, Rate[]> {
  const of = turns(loading).filter((t) => t.plateau === plateau);
  const begin = Math.min(...of.map((t) => t.begin_s));
  const out = new Map<string, Rate[]>();
  for (const t of of)
    for (const r of t.rates)
      out.set(r.target, [...(out.get(r.target) ?? []), { at: t.begin_s - begin, per_s: r.per_s }]);
  return out;
}

/** Whose turns differ most. */
export function says(rates: Map<string, Rate[]>): string {
  const spread = [...rates]
    .map(([target, all]) => ({
      target,
      turns: all.length,
      by: Math.max(...all.map((r) => r.per_s)) / Math.min(...all.map((r) => r.per_s)),
    }))
    .sort((a, b) => b.by - a.by);
  const [most] = spread;
  if (!most) return 'Nobody had a turn.';
  const few = Math.min(...spread.map((s) => s.turns)),
    many = Math.max(...spread.map((s) => s.turns));
  const turnsWords = `${few === many ? few : `${few} to ${many}`} ${many === 1 ? 'turn' : 'turns'} a target.`;
  return Number.isFinite(most.by) && many > 1
    ? `${turnsWords} Those of ${most.target} differ most: the best had ×${most.by.toFixed(2)} the streams of the worst.`
    : turnsWords;
}

/** A panel a plateau, where targets take turns; nothing where they are side by side. */
export function TurnRates({ loading, looks }: { loading: Loading; looks: Looks }) {
  const plateaus = loading.plateaus.filter((p) => p !== '' && p !== warmUp);
  if (plateaus.length === 0) return null;
  return (
    <section>
      <h3>Turn by turn</h3>
      <p>
        Streams per second of each turn. What moves all targets alike is the machine; what moves one
        is that server.
      </p>
      <ul class="legend" aria-label="How each target is drawn">
        {inOrder(loading.targets).map((t) => (
          <li>
            <Mark of={looks(t)} /> {t}
          </li>
        ))}
      </ul>
      <div class="cols">
        {plateaus.map((plateau) => {
          const rates = ratesOf(loading, plateau);
          const lines = [...rates].map(([name, all]): Line => ({
            name,
            look: looks(name),
            dots: true,
            points: all.map((r) => [r.at, r.per_s] as const),
          }));
          const xs = lines.flatMap((l) => l.points.map((p) => p[0])),
            ys = lines.flatMap((l) => l.points.map((p) => p[1]!));
          if (ys.length === 0) return null;
          const low = Math.min(...ys),
            high = Math.max(...ys),
            room = (high - low || high || 1) * 0.06;
          const y = { min: Math.max(0, low - room), max: high + room };
          const xMax = Math.max(1, ...xs) * 1.02;
          return (
            <figure>
              <h4>{plateau} VUs</h4>
              <Lines
                lines={lines}
                label={`Streams per second of each turn with ${plateau} VUs. ${says(rates)}`}
                x={{
                  min: 0,
                  max: xMax,
                  title: 'seconds of the plateau',
                  ticks: linear(0, xMax, 5).map((v) => [v, String(v)] as const),
                }}
                y={{
                  ...y,
                  title: 'req/s',
                  ticks: linear(y.min, y.max, 4).map((v) => [v, three(v)] as const),
                }}
              />
              <figcaption>{says(rates)} The axis need not begin at 0.</figcaption>
            </figure>
          );
        })}
      </div>
    </section>
  );
}
