// The events of the lines in the chart.
import type { Cell, Event, Metric } from '../data/form.ts';
import { covers } from '../words/verdict.ts';
import type { TrendState } from './state.ts';

export interface Seen {
  event: Event;
  cell: Cell;
  place: number;
  from: number;
}

/**
 * The metrics whose events belong to a drawn metric: itself, and the measured metric behind it,
 * since comparisons judge measured metrics.
 */
export const judgedOf = (metrics: Metric[], drawn: string): string[] =>
  metrics.filter((x) => x.name === drawn || x.over === drawn).map((x) => x.name);

/** Events on a scenario and metrics, in order of place. */
export function eventsOf(
  events: Event[],
  s: Pick<TrendState, 'scenario' | 'servers'>,
  metrics: string[],
): Seen[] {
  return events
    .flatMap((event): Seen[] => {
      const cell = event.cells.find(
        (c) =>
          covers(c, s.scenario) &&
          metrics.includes(c.metric) &&
          (c.verdict === 'regressed' || c.verdict === 'improved'),
      );
      if (!cell || event.at === null || !s.servers.includes(event.server)) return [];
      return [{ event, cell, place: event.at, from: event.from ?? Math.max(0, event.at - 1) }];
    })
    .sort((a, b) => a.place - b.place);
}

/** Nobody accepted it and a second comparison confirmed it. */
export const firm = (f: Event): boolean =>
  !f.accepted?.all && (f.confirmed || f.verdict !== 'regressed');

/** The next event after a place, or before it. */
export function beside(seen: Seen[], place: number, by: 1 | -1): Seen | undefined {
  return by === 1 ? seen.find((f) => f.place > place) : seen.findLast((f) => f.place < place);
}
