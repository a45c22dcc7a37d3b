// The answer first: did main get worse?
import type { Health } from '../data/health.ts';
import { listed, many } from './numbers.ts';

export interface Measured { of: number; measured: number; absent: string[]; failed: string[]; suspect: string[] }

/** Who has a point at the newest commit, of all that should. */
export function measured(h: Health): Measured {
  const newest = new Set(h.headlines.flatMap((l) => Object.entries(l.servers).filter(([, p]) => p.at === h.commit).map(([name]) => name)));
  const absent = h.missing ?? [];
  const failed = [...new Set((h.failed ?? []).map((f) => f.server))];
  const all = new Set([...newest, ...absent, ...failed]);
  return { of: all.size, measured: newest.size, absent, failed, suspect: [...new Set((h.suspect ?? []).map((s) => s.server))] };
}

export function openSentence(open: number): string {
  if (open === 0) return 'No open regression on main.';
  return `${many(open, 'open regression')} on main.`;
}

export function measuredSentence(m: Measured): string {
  const parts = [`${m.measured} of ${many(m.of, 'server')} measured`];
  if (m.absent.length) parts.push(`missing: ${listed(m.absent)}`);
  if (m.failed.length) parts.push(`failed: ${listed(m.failed)}`);
  if (m.suspect.length) parts.push(`with doubtful figures: ${listed(m.suspect)}`);
  return parts.join('; ');
}
