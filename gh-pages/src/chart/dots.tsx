// A dot with its interval on an axis that all rows of a table share.
import { percent } from '../words/numbers.ts';
import type { Turn } from '../words/verdict.ts';

export interface DotProps {
  value: number;
  low: number;
  high: number;
  /** Of all rows, so that they can be compared. */
  domain: [low: number, high: number];
  label: string; // the same in words
  zero?: number; // a line to judge by
  turn?: Turn;
  width?: number;
}

const PAD = 6; // px left and right of the axis

const place = (domain: [number, number], width: number) => (v: number) =>
  Math.round(10 * Math.min(width - 1, Math.max(1, PAD + ((width - 2 * PAD) * (v - domain[0])) / (domain[1] - domain[0] || 1)))) / 10;

export function Dot({ value, low, high, domain, label, zero, turn, width = 180 }: DotProps) {
  const height = 20, middle = height / 2;
  const at = place(domain, width);
  const beyond = value < domain[0] || value > domain[1];
  const left = low < domain[0], right = high > domain[1];
  return (
    <svg class={`inline dot ${turn ?? ''}`} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {zero !== undefined && <line x1={at(zero)} x2={at(zero)} y1={0} y2={height} stroke="currentColor" stroke-dasharray="2 2" opacity={0.6} />}
      <g stroke="currentColor" fill="currentColor">
        <line x1={at(low)} x2={at(high)} y1={middle} y2={middle} stroke-width={2} />
        {left ? <path d={`M1 ${middle}l5 -4v8z`} /> : <line x1={at(low)} x2={at(low)} y1={middle - 4} y2={middle + 4} stroke-width={1.5} />}
        {right ? <path d={`M${width - 1} ${middle}l-5 -4v8z`} /> : <line x1={at(high)} x2={at(high)} y1={middle - 4} y2={middle + 4} stroke-width={1.5} />}
        {beyond ? null : turn === 'unclear' ? <circle cx={at(value)} cy={middle} r={3.5} fill="var(--paper)" stroke-width={1.5} /> : <circle cx={at(value)} cy={middle} r={4} stroke="none" />}
      </g>
    </svg>
  );
}

const TEXT = 30; // px that a tick's text takes

/** The scale of dots, in per cent, for a column's head. */
export function Axis({ domain, width }: { domain: [number, number]; width: number }) {
  const at = place(domain, width);
  const ticks = [0, ...[ceil(domain[0]), -ceil(-domain[1])].filter((v) => Math.abs(at(v) - at(0)) > TEXT)];
  return (
    <svg class="axis" width={width} height={20} viewBox={`0 0 ${width} 20`} aria-hidden="true">
      <line x1={PAD} x2={width - PAD} y1={19} y2={19} stroke="currentColor" />
      {ticks.map((v) => <><line x1={at(v)} x2={at(v)} y1={15} y2={19} stroke="currentColor" /><text x={Math.min(width - TEXT / 2, Math.max(TEXT / 2, at(v)))} y={11} text-anchor="middle">{percent(v).replace('.0', '')}</text></>)}
    </svg>
  );
}

/** The least number of one digit, and per cent of 1 at least, that is not below v. */
function ceil(v: number): number {
  const step = Math.max(0.01, 10 ** Math.floor(Math.log10(Math.abs(v) || 1)));
  return Math.ceil(v / step - 1e-9) * step || 0;
}

const FAR = 4;

/** An axis for all rows, which holds 0: the few that go on are drawn with an arrow, since one that is far from all others would press them together. */
export function domainOf(rows: { low: number; high: number }[], holds: [number, number]): [number, number] {
  const reaches = rows.map((r) => Math.max(Math.abs(r.low), Math.abs(r.high))).filter(Number.isFinite).sort((a, b) => a - b);
  if (reaches.length === 0) return holds;
  const most = Math.max(FAR * reaches[(reaches.length - 1) >> 1]!, holds[1], -holds[0]);
  const inside = (pick: (r: { low: number; high: number }) => number) => rows.map(pick).filter((v) => Math.abs(v) <= most);
  const low = Math.min(...inside((r) => r.low), ...holds), high = Math.max(...inside((r) => r.high), ...holds);
  const margin = (high - low) * 0.05;
  return [low - margin, high + margin];
}
