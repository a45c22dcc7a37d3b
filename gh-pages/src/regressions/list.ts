// Which events are shown.
import type { Cell, Event, Manifest, Series } from '../data/form.ts';
import { breaksIn } from '../data/epochs.ts';
import { firm } from '../trend/events.ts';
import { oneOf, renames, type Fields } from '../state/url.ts';

export interface RegressionsState {
  id: string;
  show: 'open' | 'worse' | 'all';
  server: string;
}

export function fieldsOf(m: Manifest): Fields<RegressionsState> {
  return {
    id: {
      key: 'id',
      initial: '',
      parse: (t) => (/^[0-9a-f]{12}$/.test(t) ? t : undefined),
      write: (v) => v,
    },
    show: oneOf('show', ['open', 'worse', 'all'], 'open'),
    server: oneOf('sv', ['', ...m.servers.map((s) => s.name)], '', renames(m.servers)),
  };
}

export const open = (f: Event): boolean => f.verdict === 'regressed' && !f.fixed && firm(f);

/** An event that a link asks for is always shown. */
export const shown = (events: Event[], s: RegressionsState): Event[] =>
  events.filter(
    (f) =>
      f.id === s.id ||
      ((s.server === '' || f.server === s.server) &&
        (s.show === 'all' || (s.show === 'open' ? open(f) : f.verdict === 'regressed'))),
  );

/** The cell in the headline: the first with the verdict of the event. */
export const main = (f: Event): Cell | undefined =>
  f.cells.find((c) => c.verdict === f.verdict) ?? f.cells[0];

/** How many places before and after an event its small trend shows. */
const AROUND = 25;

export interface Around {
  values: (number | null)[];
  mark: number;
  breaks: number[];
}

export function around(m: Manifest, of: Series, server: string, at: number): Around | null {
  const all = of.servers[server]?.m;
  if (!all) return null;
  const begin = Math.max(0, at - AROUND);
  return {
    values: all.slice(begin, at + AROUND),
    mark: at - begin,
    breaks: breaksIn(m).map((i) => i - begin),
  };
}
