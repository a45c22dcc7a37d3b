// The flags of what is drawn.
import type { Cell, Flag, Metric } from '../data/form.ts';
import type { TrendState } from './state.ts';

export interface Seen {
  flag: Flag;
  cell: Cell;
  place: number;
  from: number;
}

/**
 * The metrics whose flags are of one that is drawn: itself, and that which it is over direct, since
 * pairs judge what is measured.
 */
export const judgedOf = (metrics: Metric[], drawn: string): string[] =>
  metrics.filter((x) => x.name === drawn || x.over === drawn).map((x) => x.name);

/** Flags on a scenario and metrics, in order of place. */
export function flagsOf(
  flags: Flag[],
  s: Pick<TrendState, 'scenario' | 'servers'>,
  metrics: string[],
): Seen[] {
  return flags
    .flatMap((flag): Seen[] => {
      const cell = flag.cells.find(
        (c) =>
          c.scenario === s.scenario &&
          metrics.includes(c.metric) &&
          (c.verdict === 'regressed' || c.verdict === 'improved'),
      );
      if (!cell || flag.at === null || !s.servers.includes(flag.server)) return [];
      return [{ flag, cell, place: flag.at, from: flag.from ?? Math.max(0, flag.at - 1) }];
    })
    .sort((a, b) => a.place - b.place);
}

/** Nobody accepted it and a second pair confirmed it. */
export const firm = (f: Flag): boolean =>
  !f.acknowledged?.whole && (f.confirmed || f.verdict !== 'regressed');

/** The next flag after a place, or before it. */
export function beside(seen: Seen[], place: number, by: 1 | -1): Seen | undefined {
  return by === 1 ? seen.find((f) => f.place > place) : seen.findLast((f) => f.place < place);
}
