// Arithmetic of the trend, on arrays in which null is unknown.
import type { Noise } from '../data/form.ts';

export type Values = (number | null)[];

/** Runs over which the line is the median: three before and three after. */
export const SMOOTH = 7;

/**
 * The median of the known points around each; a gap stays one, nothing is taken
 * across an epoch's end, and doubtful points move no line.
 */
export function rolling(values: Values, epoch: (number | null)[], doubtful: (i: number) => boolean, width = SMOOTH): Values {
  const half = width >> 1;
  return values.map((v, i) => {
    if (v === null) return null;
    const near: number[] = [];
    for (let j = Math.max(0, i - half); j <= Math.min(values.length - 1, i + half); j++) {
      const other = values[j]!;
      if (other === null || epoch[j] !== epoch[i] || doubtful(j)) continue;
      let k = near.push(other) - 1; // put where it belongs: quicker than sort, for so few
      for (; k > 0 && near[k - 1]! > other; k--) near[k] = near[k - 1]!;
      near[k] = other;
    }
    if (near.length === 0) return v;
    const m = near.length >> 1;
    return near.length % 2 ? near[m]! : (near[m - 1]! + near[m]!) / 2;
  });
}

/** Where 95 % of the runs of unchanged code would fall around a line; null where that is not known. */
export function noiseBand(line: Values, epoch: (number | null)[], noise: Noise[], absolute: boolean, scale: number): [Values, Values] {
  const size = new Map(noise.map(([e, s]) => [e, s]));
  const at = (v: number | null, i: number, side: 1 | -1) => {
    const s = size.get(epoch[i] ?? -1);
    if (v === null || s === undefined) return null;
    return absolute ? v + side * s * scale : v * (1 + (side * s) / 100);
  };
  return [line.map((v, i) => at(v, i, -1)), line.map((v, i) => at(v, i, 1))];
}

/** Where a line must not go on: places between whose neighbours the epoch changes. */
export function cuts(epoch: (number | null)[]): number[] {
  const out: number[] = [];
  for (let i = 1; i < epoch.length; i++) if (epoch[i] !== epoch[i - 1]) out.push(i);
  return out;
}

/** A window of whole places inside 0..count-1, of the wanted length or, where there are not so many, of all. */
export function within(from: number, to: number, count: number, least = 1): [number, number] {
  const span = Math.min(count, Math.max(least, Math.round(to - from) + 1));
  const start = Math.min(Math.max(0, Math.round(from)), count - span);
  return [start, start + span - 1];
}

/** Zooms by a factor around a place. */
export function zoomed([from, to]: [number, number], factor: number, around: number, count: number, least: number): [number, number] {
  const middle = around >= from && around <= to ? around : (from + to) / 2;
  return within(middle - (middle - from) * factor, middle + (to - middle) * factor, count, least);
}
