// What a run's records do not hold: how it went second by second, and the
// distributions. One file for each run of records, gzipped JSON; nothing is judged by it.
import type { Curve } from './curve';

/** The file details/YYYY/MM/….json.gz. */
export type Details = {
  schema: 2;
  workload: string;
  loadings: Loading[]; // in the order of time
  distributions: Distribution[];
};

/** One run of k6: a scenario in a round, with all targets or, of a solo run, one. */
export type Loading = {
  scenario: string; // without plateau: stress
  round: number; // from 1
  target: string; // of a solo run; else ""
  plateaus: string[]; // "" where there is none; the warm-up is "warm-up"
  targets: string[];
  turns: Turn[];
  timelines: Timeline[]; // k6, stub, then the targets that are processes
};

/**
 * Who was loaded when: index in plateaus, pause in ms since the end of the turn
 * before, length in ms, then pairs of an index in targets and its streams per second.
 */
export type Turn = number[];

/** A process, a value a second from `first` on; null is a second without a sample. */
export type Timeline = {
  process: string;
  first: number; // seconds from the begin of the first turn, at the end of the sampled one
  cpu_pct: (number | null)[]; // of one core, whole: pidstat counts ticks of 10 ms
  rss_kib: (number | null)[];
};

/**
 * The durations of a target in a scenario with its plateau, all rounds together; null where nothing
 * was counted.
 */
export type Distribution = {
  target: string;
  scenario: string; // stress-100
  stream: Curve | null;
  ttft: Curve | null;
  gap: Curve | null;
  transit: Curve | null;
};

export const warmUp = 'warm-up';

export type UnpackedTurn = {
  plateau: string;
  begin_s: number;
  end_s: number;
  rates: { target: string; per_s: number }[];
};

/**
 * Turns with their names; what does not fit the loading's lists is an error that names the turn.
 */
export function turns(l: Loading): UnpackedTurn[] {
  let end = 0;
  return l.turns.map(([p, pause, took, ...rates], i) => {
    const plateau = l.plateaus[p!];
    if (plateau === undefined || pause === undefined || took === undefined || rates.length % 2)
      throw new Error(`details: ${l.scenario} round ${l.round}: turn ${i}: ${l.turns[i]}`);
    const begin = end + pause;
    end = begin + took;
    const unpacked: UnpackedTurn = { plateau, begin_s: begin / 1000, end_s: end / 1000, rates: [] };
    for (let r = 0; r < rates.length; r += 2) {
      const target = l.targets[rates[r]!];
      if (target === undefined)
        throw new Error(
          `details: ${l.scenario} round ${l.round}: turn ${i}: target ${rates[r]} of ${l.targets.length}`,
        );
      unpacked.rates.push({ target, per_s: rates[r + 1]! });
    }
    return unpacked;
  });
}

export type Span = { from: number; to: number };

/**
 * When a target was loaded, without the warm-up; for k6 and the stub, when anyone
 * was. Turns that follow each other at once are one. In seconds.
 */
export function loaded(of: UnpackedTurn[], process: string): Span[] {
  const spans: Span[] = [];
  for (const t of of) {
    const its = isRuler(process) || t.rates.some((r) => r.target === process);
    if (t.plateau === warmUp || !its) continue;
    const last = spans.at(-1);
    if (last && t.begin_s - last.to < 0.1) last.to = t.end_s;
    else spans.push({ from: t.begin_s, to: t.end_s });
  }
  return spans;
}

export const isRuler = (process: string) => process === 'k6' || process === 'stub';

/** How long a loading and its samples took, in seconds. */
export function seconds(l: Loading): number {
  const ends = [
    l.turns.reduce((sum, t) => sum + (t[1] ?? 0) + (t[2] ?? 0), 0) / 1000,
    ...l.timelines.map((t) => t.first + t.cpu_pct.length - 1),
  ];
  return Math.max(0, ...ends);
}
