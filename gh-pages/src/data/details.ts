// Details of a run: its seconds and its distributions. Each run with records has one file,
// gzipped JSON. No verdict depends on them.
import type { K6Run } from './types.ts';

export const warmUp = 'warm-up';

/** The levels of these scenarios are called as records. */
const merged = ['ranking', 'compare'];

/** The name of the records of a level: stress-100. */
const nameOf = (l: K6Run, level: string) =>
  level === warmUp || merged.includes(l.scenario)
    ? level
    : [l.scenario, level].filter((s) => s !== '').join('-');

export type UnpackedSlice = {
  level: string; // as records are called, or the warm-up
  begin_s: number;
  end_s: number;
  rates: { target: string; per_s: number }[];
};

/**
 * Slices with their names; what does not fit the k6 run's lists is an error that names the slice.
 */
export function slices(l: K6Run): UnpackedSlice[] {
  let end = 0;
  return l.slices.map(([p, pause, took, ...rates], i) => {
    const level = l.levels[p!];
    if (level === undefined || pause === undefined || took === undefined || rates.length % 2)
      throw new Error(`details: ${l.scenario} round ${l.round}: slice ${i}: ${l.slices[i]}`);
    const begin = end + pause;
    end = begin + took;
    const unpacked: UnpackedSlice = {
      level: nameOf(l, level),
      begin_s: begin / 1000,
      end_s: end / 1000,
      rates: [],
    };
    for (let r = 0; r < rates.length; r += 2) {
      const target = l.targets[rates[r]!];
      if (target === undefined)
        throw new Error(
          `details: ${l.scenario} round ${l.round}: slice ${i}: target ${rates[r]} of ${l.targets.length}`,
        );
      unpacked.rates.push({ target, per_s: rates[r + 1]! });
    }
    return unpacked;
  });
}

export type Span = { from: number; to: number };

/**
 * When a target was loaded, without the warm-up; for k6 and the stub, when anyone
 * was. Slices that follow each other at once are one. In seconds.
 */
export function loaded(of: UnpackedSlice[], process: string): Span[] {
  const spans: Span[] = [];
  for (const t of of) {
    const its = isRig(process) || t.rates.some((r) => r.target === process);
    if (t.level === warmUp || !its) continue;
    const last = spans.at(-1);
    if (last && t.begin_s - last.to < 0.1) last.to = t.end_s;
    else spans.push({ from: t.begin_s, to: t.end_s });
  }
  return spans;
}

export const isRig = (process: string) => process === 'k6' || process === 'stub';

/** How long a k6 run and its samples took, in seconds. */
export function seconds(l: K6Run): number {
  const ends = [
    l.slices.reduce((sum, t) => sum + (t[1] ?? 0) + (t[2] ?? 0), 0) / 1000,
    ...l.timelines.map((t) => t.first + t.cpu_pct.length - 1),
  ];
  return Math.max(0, ...ends);
}
