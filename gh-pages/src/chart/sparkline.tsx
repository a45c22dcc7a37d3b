// The small history beside a number. What it shows must be said in words, too: with
// label it is a picture of its own, without it is decoration.
import { stretches } from './stretches.ts';

export interface SparklineProps {
  values: (number | null)[];
  label?: string;
  width?: number;
  height?: number;
  /** The range that unchanged code stays in, in the values' unit. */
  band?: [low: number, high: number] | undefined;
  /** Places to mark with a dot; the newest is marked where none are given. */
  marks?: number[];
  /** Places that no line comes to from the one before. */
  breaks?: readonly number[];
}

export function Sparkline({
  values,
  label,
  width = 120,
  height = 28,
  band,
  marks,
  breaks,
}: SparklineProps) {
  const known = values.filter((v): v is number => v !== null);
  if (known.length === 0) return <span class="soft">no data</span>;
  const pad = 3;
  const low = Math.min(...known, ...(band ?? []));
  const high = Math.max(...known, ...(band ?? []));
  const x = (i: number) => round(pad + ((width - 2 * pad) * i) / Math.max(1, values.length - 1));
  const y = (v: number) =>
    round(high === low ? height / 2 : pad + ((height - 2 * pad) * (high - v)) / (high - low));
  const last = values.findLastIndex((v) => v !== null);
  return (
    <svg
      class="inline spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {band && (
        <rect
          x={0}
          width={width}
          y={y(band[1])}
          height={Math.max(1, y(band[0]) - y(band[1]))}
          fill="currentColor"
          opacity={0.12}
        />
      )}
      <path
        d={path(values, x, y, breaks)}
        fill="none"
        stroke="currentColor"
        stroke-width={1.5}
        stroke-linecap="round"
      />
      {(marks ?? [last]).map((i) => {
        const v = values[i];
        return v === null || v === undefined ? null : (
          <circle cx={x(i)} cy={y(v)} r={2.5} fill="currentColor" />
        );
      })}
    </svg>
  );
}

/** A line through what is known; null is a gap, as is a break, and a point of its own is a dot. */
export function path(
  values: readonly (number | null)[],
  x: (i: number) => number,
  y: (v: number) => number,
  breaks: readonly number[] = [],
): string {
  return stretches(values, new Set(breaks))
    .map(([from, to]) => {
      const points = values.slice(from, to + 1).map((v, i) => `${x(from + i)} ${y(v!)}`);
      return `M${points.join('L')}${from === to ? 'h0' : ''}`;
    })
    .join('');
}

const round = (v: number) => Math.round(10 * v) / 10;
