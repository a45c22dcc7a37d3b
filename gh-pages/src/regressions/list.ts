// Which flags are shown, and how things stand with what they say.
import type { Cell, Flag, Manifest, Metric, Overview } from '../data/form.ts';
import { firm } from '../trend/flags.ts';
import { oneOf, renames, type Fields } from '../state/url.ts';
import { absolute, turnOfChange, type Turn } from '../words/verdict.ts';

export interface RegressionsState { id: string; show: 'open' | 'worse' | 'all'; server: string }

export function fieldsOf(m: Manifest): Fields<RegressionsState> {
  return {
    id: { key: 'id', initial: '', parse: (t) => (/^[0-9a-f]{12}$/.test(t) ? t : undefined), write: (v) => v },
    show: oneOf('show', ['open', 'worse', 'all'], 'open'),
    server: oneOf('sv', ['', ...m.servers.map((s) => s.name)], '', renames(m.servers)),
  };
}

export const open = (f: Flag): boolean => f.verdict === 'regressed' && firm(f);

/** One that a link asks for is shown whatever else is chosen. */
export const shown = (flags: Flag[], s: RegressionsState): Flag[] =>
  flags.filter((f) => f.id === s.id || ((s.server === '' || f.server === s.server) && (s.show === 'all' || (s.show === 'open' ? open(f) : f.verdict === 'regressed'))));

/** The cell that says most: the first that changed as the flag says. */
export const main = (f: Flag): Cell | undefined => f.cells.find((c) => c.verdict === f.verdict) ?? f.cells[0];

/** The trend around a flag, of so many places before it and after. */
const AROUND = 25;

export interface Around { values: (number | null)[]; mark: number }

export function around(o: Overview, server: string, at: number): Around | null {
  const all = o.servers[server]?.m;
  if (!all) return null;
  const place = Math.floor(at / o.bucket);
  const begin = Math.max(0, place - AROUND);
  return { values: all.slice(begin, place + AROUND), mark: place - begin };
}

export interface Now { change: number; turn: Turn; inside: boolean }

/**
 * How the newest figures stand to those before the flag: the median of the newest
 * five over that of the five before. Across an epoch nothing compares: null.
 */
export function now(m: Manifest, o: Overview, metric: Metric, f: Flag): Now | null {
  const all = o.servers[f.server]?.m;
  if (!all || f.at === null || absolute(metric.name)) return null;
  const epoch = m.epochs.findLastIndex((e) => e.first <= f.at!);
  if (m.epochs.some((e, i) => i !== epoch && e.last > f.at!)) return null;
  const place = Math.floor(f.at / o.bucket);
  const first = Math.ceil((m.epochs[epoch]?.first ?? 0) / o.bucket);
  const before = middle(all.slice(Math.max(first, place - 5), place)), after = middle(all.slice(Math.max(place, all.length - 5)));
  if (before === null || after === null || before <= 0) return null;
  const change = after / before - 1;
  const noise = o.noise[f.server]?.find(([e]) => e === epoch)?.[1] ?? null;
  return { change, turn: turnOfChange(change, metric.better), inside: noise !== null && !o.absolute && Math.abs(change) <= noise / 100 };
}

function middle(values: (number | null)[]): number | null {
  const known = values.filter((v): v is number => v !== null).sort((a, b) => a - b);
  return known[known.length >> 1] ?? null;
}
