// The answer first: did main get worse?
import type { Health } from '../data/types.ts';
import { listed, many } from './numbers.ts';

export interface Measured {
  of: number;
  measured: number;
  absent: string[];
  failed: string[];
  warned: string[];
  gone: [server: string, commits: number][];
}

/** A server without a figure for longer is gone. Health's lines are as long. */
const PAST = 50; // commits

/** How many servers have a point at the newest commit. */
export function measured(h: Health): Measured {
  const newest = new Set(
    h.headlines.flatMap((l) =>
      Object.entries(l.servers)
        .filter(([, p]) => p.at === h.commit)
        .map(([name]) => name),
    ),
  );
  const absent = h.missing ?? [];
  const failed = [...new Set((h.failed ?? []).map((f) => f.server))];
  const known = new Set([...newest, ...absent, ...failed]);
  const last = new Map<string, number>();
  for (const [name, p] of h.headlines.flatMap((l) => Object.entries(l.servers)))
    last.set(name, Math.max(last.get(name) ?? 0, p.at));
  const gone =
    h.commit === null
      ? []
      : [...last]
          .map(([name, at]): [string, number] => [name, h.commit! - at])
          .filter(([name, n]) => !known.has(name) && n <= PAST);
  const all = new Set([...known, ...gone.map(([name]) => name)]);
  return {
    of: all.size,
    measured: newest.size,
    absent,
    failed,
    warned: [...new Set(h.warning.map((s) => s.server))],
    gone,
  };
}

export function openSentence(open: number): string {
  if (open === 0) return 'No open regression on main.';
  return `${many(open, 'open regression')} on main.`;
}

export function measuredSentence(m: Measured): string {
  const parts = [`${m.measured} of ${many(m.of, 'server')} measured`];
  if (m.absent.length) parts.push(`missing: ${listed(m.absent)}`);
  if (m.failed.length) parts.push(`failed: ${listed(m.failed)}`);
  for (const [name, n] of m.gone) parts.push(`${name} was last measured ${many(n, 'commit')} ago`);
  if (m.warned.length) parts.push(`with warnings: ${listed(m.warned)}`);
  return parts.join('; ');
}
