// The small history beside a number. What it shows must be said in words, too: with
// label it is a picture of its own, without it is decoration.

export interface SparklineProps {
  values: (number | null)[];
  label?: string;
  width?: number;
  height?: number;
  /** The range that unchanged code stays in, in the values' unit. */
  band?: [low: number, high: number] | undefined;
  /** Places to mark with a dot; the newest is marked where none are given. */
  marks?: number[];
}

export function Sparkline({ values, label, width = 120, height = 28, band, marks }: SparklineProps) {
  const known = values.filter((v): v is number => v !== null);
  if (known.length === 0) return <span class="soft">no data</span>;
  const pad = 3;
  const low = Math.min(...known, ...(band ?? []));
  const high = Math.max(...known, ...(band ?? []));
  const x = (i: number) => round(pad + ((width - 2 * pad) * i) / Math.max(1, values.length - 1));
  const y = (v: number) => round(high === low ? height / 2 : pad + ((height - 2 * pad) * (high - v)) / (high - low));
  const last = values.findLastIndex((v) => v !== null);
  return (
    <svg class="inline spark" width={width} height={height} viewBox={`0 0 ${width} ${height}`} {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}>
      {band && <rect x={0} width={width} y={y(band[1])} height={Math.max(1, y(band[0]) - y(band[1]))} fill="currentColor" opacity={0.12} />}
      <path d={path(values, x, y)} fill="none" stroke="currentColor" stroke-width={1.5} stroke-linecap="round" />
      {(marks ?? [last]).map((i) => {
        const v = values[i];
        return v === null || v === undefined ? null : <circle cx={x(i)} cy={y(v)} r={2.5} fill="currentColor" />;
      })}
    </svg>
  );
}

/** A line through what is known; null is a gap, and a point between two gaps is a dot. */
export function path(values: readonly (number | null)[], x: (i: number) => number, y: (v: number) => number): string {
  let out = '';
  values.forEach((v, i) => {
    if (v === null) return;
    const joined = i > 0 && values[i - 1] !== null;
    const alone = !joined && (values[i + 1] ?? null) === null;
    out += `${joined ? 'L' : 'M'}${x(i)} ${y(v)}${alone ? 'h0' : ''}`;
  });
  return out;
}

const round = (v: number) => Math.round(10 * v) / 10;
