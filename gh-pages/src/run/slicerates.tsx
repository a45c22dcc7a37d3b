import { Lines, type Line } from '../chart/lines.tsx';
import { Mark, type Looks } from '../chart/mark.tsx';
import { linear } from '../chart/ticks.ts';
import type { K6Run } from '../data/types.ts';
import { levelsOf, slices } from '../data/details.ts';
import { noun } from '../data/workload.ts';
import { three } from '../words/numbers.ts';
import { inOrder } from './states.tsx';

export interface Rate {
  at: number;
  per_s: number;
}

/** Streams or requests per second of each slice on a level, by target; seconds from the level's begin. */
export function ratesOf(k6Run: K6Run, level: string): Map<string, Rate[]> {
  const of = slices(k6Run).filter((t) => t.level === level);
  const begin = Math.min(...of.map((t) => t.begin_s));
  const out = new Map<string, Rate[]>();
  for (const t of of)
    for (const r of t.rates)
      out.set(r.target, [...(out.get(r.target) ?? []), { at: t.begin_s - begin, per_s: r.per_s }]);
  return out;
}

/** Names the target whose slices differ most. */
export function says(rates: Map<string, Rate[]>): string {
  const spread = [...rates]
    .map(([target, all]) => ({
      target,
      slices: all.length,
      by: Math.max(...all.map((r) => r.per_s)) / Math.min(...all.map((r) => r.per_s)),
    }))
    .sort((a, b) => b.by - a.by);
  const [most] = spread;
  if (!most) return 'No target had a slice.';
  const few = Math.min(...spread.map((s) => s.slices)),
    many = Math.max(...spread.map((s) => s.slices));
  const slicesWords = `${few === many ? few : `${few} to ${many}`} ${many === 1 ? 'slice' : 'slices'} per target.`;
  return Number.isFinite(most.by) && many > 1
    ? `${slicesWords} The slices of ${most.target} differ most: the best had ×${most.by.toFixed(2)} the ${noun()}s of the worst.`
    : slicesWords;
}

const plural = () => (noun() === 'stream' ? 'Streams' : 'Requests');

/** A panel for each level on which targets take slices. */
export function SliceRates({ k6Run, looks }: { k6Run: K6Run; looks: Looks }) {
  const levels = levelsOf(k6Run).filter((p) => p.includes('-'));
  if (levels.length === 0) return null;
  return (
    <section>
      <h3>Slice by slice</h3>
      <p>
        {plural()} per second of each slice. If all targets move together, the machine changed; if
        one moves alone, that server did.
      </p>
      <ul class="legend" aria-label="How each target is drawn">
        {inOrder(k6Run.targets).map((t) => (
          <li>
            <Mark of={looks(t)} /> {t}
          </li>
        ))}
      </ul>
      <div class="cols">
        {levels.map((level) => {
          const rates = ratesOf(k6Run, level);
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
              <h4>{level}</h4>
              <Lines
                lines={lines}
                label={`${plural()} per second of each slice of ${level}. ${says(rates)}`}
                x={{
                  min: 0,
                  max: xMax,
                  title: 'seconds of the level',
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
