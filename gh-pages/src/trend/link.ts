// The trend's address for a flag: its server, its metric, and it chosen.
import type { Cell, Flag, Manifest } from '../data/form.ts';
import { short } from '../words/verdict.ts';

export const trendQuery = (m: Manifest, f: Flag, c: Cell): string => {
  const known = m.metrics.some((x) => x.name === c.metric);
  return `?sc=${c.scenario}${known ? `&m=${c.metric}` : ''}&sv=${f.server}&last=1000&on=${f.server}&sel=${short(f.head)}`;
};
