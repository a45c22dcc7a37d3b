import type { Looks } from '../chart/mark.tsx';
import { scoreText, type Axis, type Scores } from './scores.ts';

const WIDTH = 270,
  HEIGHT = 200,
  R = 78,
  cx = WIDTH / 2,
  cy = HEIGHT / 2;

function at(i: number, score: number, of: number): [number, number] {
  const angle = (2 * Math.PI * i) / of - Math.PI / 2,
    r = (R * score) / 100;
  return [
    Math.round(10 * (cx + r * Math.cos(angle))) / 10,
    Math.round(10 * (cy + r * Math.sin(angle))) / 10,
  ];
}

/** The outline of a server; an axis without a figure breaks it. */
export function outlineOf(scores: (number | null)[]): string {
  const n = scores.length;
  let d = '';
  for (let i = 0; i < n; i++) {
    const a = scores[i]!,
      b = scores[(i + 1) % n]!;
    if (a === null || b === null) continue;
    d += `M${at(i, a, n).join(' ')}L${at((i + 1) % n, b, n).join(' ')}`;
  }
  return d;
}

/**
 * One a server and never filled over each other: shape and area of a radar depend on the order of
 * its axes.
 */
export function Radars({ axes, rows, looks }: { axes: Axis[]; rows: Scores[]; looks: Looks }) {
  const n = axes.length;
  const ring = (score: number) => axes.map((_, i) => at(i, score, n).join(' ')).join('L');
  return (
    <div class="panels">
      {rows.map((r) => {
        const colour = looks(r.server)?.colour ?? 'currentColor';
        return (
          <figure class="radar">
            <h2>{r.server}</h2>
            <svg
              width={WIDTH}
              height={HEIGHT}
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              role="img"
              aria-label={`${r.server}: ${r.by.map((b, i) => `${axes[i]!.label} ${scoreText(b)}`).join(', ')}`}
            >
              {[25, 50, 75, 100].map((s) => (
                <path class="grid" d={`M${ring(s)}Z`} fill="none" />
              ))}
              {axes.map((_, i) => (
                <path class="grid" d={`M${cx} ${cy}L${at(i, 100, n).join(' ')}`} />
              ))}
              <path
                d={outlineOf(r.by.map((b) => b.score))}
                fill="none"
                stroke={colour}
                stroke-width={2.5}
                stroke-linecap="round"
              />
              {r.by.map((b, i) => {
                const [x, y] = at(i, b.score ?? 0, n);
                return b.score !== null && <circle cx={x} cy={y} r={3} fill={colour} />;
              })}
              {axes.map((a, i) => {
                const [x, y] = at(i, 112, n);
                return (
                  <text
                    x={x}
                    y={y + 4}
                    text-anchor={x > cx + 5 ? 'start' : x < cx - 5 ? 'end' : 'middle'}
                  >
                    {a.label}
                  </text>
                );
              })}
            </svg>
          </figure>
        );
      })}
    </div>
  );
}
