// A dot with its interval on an axis that all rows of a table share.
import type { Turn } from '../words/verdict.ts';

export interface DotProps {
  value: number;
  low: number;
  high: number;
  /** Of all rows, so that they can be compared. */
  domain: [low: number, high: number];
  label: string; // the same in words
  zero?: number; // a line to judge by
  noise?: [low: number, high: number]; // changes that mean nothing
  turn?: Turn;
  colour?: string;
  width?: number;
}

export function Dot({ value, low, high, domain, label, zero, noise, turn, colour, width = 180 }: DotProps) {
  const height = 20, pad = 6, middle = height / 2;
  const span = domain[1] - domain[0] || 1;
  const at = (v: number) => Math.round(10 * Math.min(width - 1, Math.max(1, pad + ((width - 2 * pad) * (v - domain[0])) / span))) / 10;
  const left = low < domain[0], right = high > domain[1];
  return (
    <svg class={`inline dot ${turn ?? ''}`} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {noise && <rect x={at(noise[0])} width={Math.max(1, at(noise[1]) - at(noise[0]))} y={1} height={height - 2} fill="currentColor" opacity={0.12} />}
      {zero !== undefined && <line x1={at(zero)} x2={at(zero)} y1={0} y2={height} stroke="currentColor" stroke-dasharray="2 2" opacity={0.6} />}
      <g stroke={colour ?? 'currentColor'} fill={colour ?? 'currentColor'}>
        <line x1={at(low)} x2={at(high)} y1={middle} y2={middle} stroke-width={2} />
        {left ? <path d={`M1 ${middle}l5 -4v8z`} /> : <line x1={at(low)} x2={at(low)} y1={middle - 4} y2={middle + 4} stroke-width={1.5} />}
        {right ? <path d={`M${width - 1} ${middle}l-5 -4v8z`} /> : <line x1={at(high)} x2={at(high)} y1={middle - 4} y2={middle + 4} stroke-width={1.5} />}
        {turn === 'unclear' ? <circle cx={at(value)} cy={middle} r={3.5} fill="var(--paper)" stroke-width={1.5} /> : <circle cx={at(value)} cy={middle} r={4} stroke="none" />}
      </g>
    </svg>
  );
}

/** An axis for all rows: what holds most of the intervals; the few that go on are drawn with an arrow. */
export function domainOf(rows: { low: number; high: number }[], holds: number[] = []): [number, number] {
  const lows = rows.map((r) => r.low).filter(Number.isFinite).sort((a, b) => a - b);
  const highs = rows.map((r) => r.high).filter(Number.isFinite).sort((a, b) => a - b);
  if (lows.length === 0) return [Math.min(0, ...holds), Math.max(1, ...holds)];
  const few = Math.floor(lows.length / 20);
  const low = Math.min(lows[few]!, ...holds), high = Math.max(highs.at(-1 - few)!, ...holds);
  const margin = (high - low || Math.abs(high) || 1) * 0.05;
  return [low - margin, high + margin];
}
