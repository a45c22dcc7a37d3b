// The input of a trend chart: it needs no files and no lookups.
import type { Direction } from '../words/verdict.ts';
import type { Look } from './palette.ts';
import type { Values } from './stretches.ts';

export interface Line {
  name: string;
  look: Look;
  m: Values; // points
  line: Values; // through them
  low: Values; // the band around the line
  high: Values;
  least: Values; // whiskers of the points
  most: Values;
  warned: boolean[];
  band: boolean;
  whiskers: boolean;
  strong: boolean; // the one that keys move along
}

export interface Mark {
  line: number;
  x: number;
  from: number;
  direction: Direction;
  label: string;
  hollow: boolean;
  strong: boolean;
}

/** Between two epochs; at: of x. */
export interface Cut {
  at: number;
  label: string;
  short: string;
}

export interface Drawn {
  x: number[]; // ascending
  lines: Line[];
  window: [number, number]; // of x
  breaks: ReadonlySet<number>; // points that no line comes to from the one before
  cuts: Cut[];
  marks: Mark[];
  selected: { index: number; line: number } | null;
  time: boolean;
  log: boolean;
  dark: boolean;
  labels: boolean; // at the end of lines
  height: number; // pixels
  unit: string; // of y, or what has none
  xTick: (x: number) => string;
  yTick: (y: number) => string;
}

/**
 * A point farther from the line than this share of it, and than this many times the noise, is
 * left out of the axis. So one point does not flatten the rest.
 */
const FAR = 0.25,
  FAR_NOISE = 5;

export function far({ m, line, high }: Pick<Line, 'm' | 'line' | 'high'>, i: number): boolean {
  const v = m[i] ?? null,
    middle = line[i] ?? null,
    edge = high[i] ?? null;
  return (
    v !== null &&
    middle !== null &&
    edge !== null &&
    Math.abs(v - middle) > Math.max(FAR * Math.abs(middle), FAR_NOISE * Math.abs(edge - middle))
  );
}

/** The least and the greatest value in the window, with a margin; null: it is empty. */
export function range(d: Drawn): [number, number] | null {
  let low = Infinity,
    high = -Infinity;
  const take = (v: number | null) => {
    if (v === null) return;
    if (v < low) low = v;
    if (v > high) high = v;
  };
  for (const l of d.lines) {
    for (let i = 0; i < d.x.length; i++) {
      if (d.x[i]! < d.window[0] || d.x[i]! > d.window[1]) continue;
      take(l.line[i] ?? null);
      if (!far(l, i)) take(l.m[i] ?? null);
      if (l.band) {
        take(l.low[i] ?? null);
        take(l.high[i] ?? null);
      }
    }
  }
  if (low > high) return null;
  if (d.log) return [low / 1.05, high * 1.05];
  const margin = (high - low || Math.abs(high) || 1) * 0.06;
  return [low >= 0 ? Math.max(0, low - margin) : low - margin, high + margin];
}
