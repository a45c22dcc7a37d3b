import type { Looks } from '../chart/mark.tsx';
import { axes } from './axes.ts';
import { scoreText, type ServerScores } from './table.ts';

const WIDTH = 270, HEIGHT = 200, R = 78, cx = WIDTH / 2, cy = HEIGHT / 2;
const short: Record<string, string> = { throughput: 'req/s', cpu: 'CPU', 'first-token': 'first token', stream: 'stream', gap: 'gap', memory: 'memory' };

function at(i: number, score: number, of = axes.length): [number, number] {
  const angle = (2 * Math.PI * i) / of - Math.PI / 2, r = (R * score) / 100;
  return [Math.round(10 * (cx + r * Math.cos(angle))) / 10, Math.round(10 * (cy + r * Math.sin(angle))) / 10];
}

/** Through what was run; an axis that was not breaks the outline. */
export function outlineOf(scores: (number | null)[]): string {
  const n = scores.length;
  let d = '';
  for (let i = 0; i < n; i++) {
    const a = scores[i]!, b = scores[(i + 1) % n]!;
    if (a === null || b === null) continue;
    d += `M${at(i, a, n).join(' ')}L${at((i + 1) % n, b, n).join(' ')}`;
  }
  return d;
}

/** One a server and never filled over each other: shape and area of a radar depend on the order of its axes. */
export function Radars({ rows, looks }: { rows: ServerScores[]; looks: Looks }) {
  const ring = (score: number) => axes.map((_, i) => at(i, score).join(' ')).join('L');
  const reference = axes.map((a, i) => at(i, a.kind === 'middle' ? 50 : 100).join(' ')).join('L');
  return (
    <div class="panels">
      {rows.map((r) => {
        const look = looks(r.server);
        return (
          <figure class="radar">
            <h2>{r.server}</h2>
            <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${r.server}: ${r.by.map((b, i) => `${b.axis.label} ${scoreText(b.score, r.absent[i])}`).join(', ')}`}>
              {[25, 50, 75, 100].map((s) => <path class="grid" d={`M${ring(s)}Z`} fill="none" />)}
              {axes.map((_, i) => <path class="grid" d={`M${cx} ${cy}L${at(i, 100).join(' ')}`} />)}
              <path class="reference" d={`M${reference}Z`} fill="none" />
              <path d={outlineOf(r.by.map((b) => b.score))} fill="none" stroke={look?.colour ?? 'currentColor'} stroke-width={2.5} stroke-linecap="round" />
              {r.by.map((b, i) => b.score !== null && <circle cx={at(i, b.score)[0]} cy={at(i, b.score)[1]} r={3} fill={look?.colour ?? 'currentColor'} />)}
              {axes.map((a, i) => { const [x, y] = at(i, 112); return <text x={x} y={y + 4} text-anchor={x > cx + 5 ? 'start' : x < cx - 5 ? 'end' : 'middle'}>{short[a.id] ?? a.id}</text>; })}
            </svg>
          </figure>
        );
      })}
    </div>
  );
}
