import { anchor } from '../chart/lines.tsx';
import { useWidth } from '../chart/width.ts';
import { linear } from '../chart/ticks.ts';
import type { K6Run } from '../data/types.ts';
import { levelsOf, seconds, slices, warmUp } from '../data/details.ts';

export interface Stretch {
  from: number;
  to: number;
  state: string;
}

const CLOSE = 0.1; // seconds: slices that follow each other at once are one

/** The stretches of a target: warm-up, then its levels; equal neighbours are one. */
export function stretches(k6Run: K6Run, target: string): Stretch[] {
  const out: Stretch[] = [];
  for (const t of slices(k6Run)) {
    if (!t.rates.some((r) => r.target === target)) continue;
    const last = out.at(-1);
    if (last?.state === t.level && t.begin_s - last.to < CLOSE) last.to = t.end_s;
    else out.push({ from: t.begin_s, to: t.end_s, state: t.level });
  }
  return out;
}

/** By name, direct last: the slices are dealt in random order. */
export const inOrder = (targets: string[]): string[] =>
  [...targets].sort((a, b) => Number(a === 'direct') - Number(b === 'direct') || (a < b ? -1 : 1));

const patterns = ['solid', 'coarse', 'dense'];

/** When each target was loaded: a row for each, with the next of three shades on each level. */
export function States({ k6Run }: { k6Run: K6Run }) {
  const [ref, width] = useWidth();
  const end = Math.max(1, seconds(k6Run));
  const targets = inOrder(k6Run.targets);
  const left = 88,
    row = 20,
    names = levelsOf(k6Run);
  const x = (s: number) => Math.round(10 * (left + ((width - left - 8) * s) / end)) / 10;
  const height = row * targets.length + 22;
  const pattern = (state: string) =>
    state === warmUp
      ? 'url(#state-warm)'
      : `url(#state-${patterns[Math.max(0, names.indexOf(state)) % 3]})`;
  const label = `When each target was loaded in ${k6Run.scenario}, round ${k6Run.round}: ${targets.map((t) => `${t} ${stretches(k6Run, t).length} stretches`).join(', ')}.`;
  return (
    <figure>
      <div class="lines" ref={ref}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={label}
          >
            <defs>
              <pattern id="state-warm" width="5" height="5" patternUnits="userSpaceOnUse">
                <path d="M0 5L5 0" class="hatch" />
              </pattern>
              <pattern id="state-solid" width="8" height="8" patternUnits="userSpaceOnUse">
                <rect width="8" height="8" class="fill" opacity="0.35" />
              </pattern>
              <pattern id="state-coarse" width="8" height="8" patternUnits="userSpaceOnUse">
                <rect width="8" height="8" class="fill" opacity="0.6" />
              </pattern>
              <pattern id="state-dense" width="8" height="8" patternUnits="userSpaceOnUse">
                <rect width="8" height="8" class="fill" opacity="0.9" />
              </pattern>
            </defs>
            {targets.map((target, i) => (
              <g>
                <text x={0} y={row * i + 14}>
                  {target}
                </text>
                <line class="grid" x1={left} x2={width - 8} y1={row * (i + 1)} y2={row * (i + 1)} />
                {stretches(k6Run, target).map((s) => (
                  <rect
                    x={x(s.from)}
                    width={Math.max(1, x(s.to) - x(s.from))}
                    y={row * i + 3}
                    height={row - 6}
                    fill={pattern(s.state)}
                    class="stretch"
                  >
                    <title>{`${target}: ${s.state}, second ${s.from.toFixed(1)} to ${s.to.toFixed(1)}`}</title>
                  </rect>
                ))}
              </g>
            ))}
            {linear(0, end, 6).map((s) => (
              <text x={x(s)} y={height - 4} text-anchor={anchor(x(s), width)}>
                {s} s
              </text>
            ))}
          </svg>
        )}
      </div>
      <figcaption>
        When each target was loaded. The hatched warm-up does not count
        {names.length > 1 ? `; the shade changes with the level: ${names.join(', ')}` : ''}. The
        slices of the other targets are in between.
      </figcaption>
    </figure>
  );
}
