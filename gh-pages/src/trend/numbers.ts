// Arithmetic of the trend, on arrays in which null is unknown.
import type { Values } from '../chart/stretches.ts';
import type { Noise } from '../data/form.ts';
import { median } from '../data/median.ts';

/** Runs over which the line is the median: three before and three after. */
export const SMOOTH = 7;
/**
 * Runs of an epoch under which there is no line through medians: of two it would be level, whatever
 * they are.
 */
const LEAST_RUNS = 4;

/**
 * The median of the known points around each point. A gap stays a gap. Values stay within their
 * epoch, and a point with a warning moves no line.
 */
export function rolling(
  values: Values,
  epoch: (number | null)[],
  warned: (i: number) => boolean,
  width = SMOOTH,
): Values {
  const half = width >> 1;
  const runs = new Map<number | null, number>();
  values.forEach((v, i) => {
    if (v !== null) runs.set(epoch[i]!, (runs.get(epoch[i]!) ?? 0) + 1);
  });
  return values.map((v, i) => {
    if (v === null || runs.get(epoch[i]!)! < LEAST_RUNS) return null;
    const near: number[] = [];
    for (let j = Math.max(0, i - half); j <= Math.min(values.length - 1, i + half); j++) {
      const other = values[j]!;
      if (other === null || epoch[j] !== epoch[i] || warned(j)) continue;
      let k = near.push(other) - 1; // inserted in order, which is quicker than a sort of so few
      for (; k > 0 && near[k - 1]! > other; k--) near[k] = near[k - 1]!;
      near[k] = other;
    }
    return near.length === 0 ? v : median(near);
  });
}

/**
 * Where 95 % of the runs of unchanged code would fall around a line; null where that is not known.
 */
export function noiseBand(
  line: Values,
  epoch: (number | null)[],
  noise: Noise[],
  absolute: boolean,
  scale: (i: number) => number | null,
): [Values, Values] {
  const size = new Map(noise.map(([e, s]) => [e, s]));
  const at = (v: number | null, i: number, side: 1 | -1) => {
    const s = size.get(epoch[i] ?? -1);
    if (v === null || s === undefined) return null;
    return absolute ? v + side * s * (scale(i) ?? 0) : v * (1 + (side * s) / 100);
  };
  return [line.map((v, i) => at(v, i, -1)), line.map((v, i) => at(v, i, 1))];
}

/**
 * A window of whole places inside 0..count-1, of the wanted length, or of all places if there
 * are fewer.
 */
export function within(from: number, to: number, count: number, least = 1): [number, number] {
  const span = Math.min(count, Math.max(least, Math.round(to - from) + 1));
  const start = Math.min(Math.max(0, Math.round(from)), count - span);
  return [start, start + span - 1];
}

/** Zooms by a factor around a place. */
export function zoomed(
  [from, to]: [number, number],
  factor: number,
  around: number,
  count: number,
  least: number,
): [number, number] {
  const middle = around >= from && around <= to ? around : (from + to) / 2;
  return within(middle - (middle - from) * factor, middle + (to - middle) * factor, count, least);
}
