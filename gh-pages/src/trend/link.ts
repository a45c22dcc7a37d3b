// The trend's address for an event: its server, its metric, and it chosen, in a window that holds it.
import type { Cell, Event, Manifest } from '../data/form.ts';
import { seriesOf, short } from '../words/verdict.ts';

export const trendQuery = (m: Manifest, f: Event, c: Cell): string => {
  const known = m.metrics.some((x) => x.name === c.metric);
  const last = f.at !== null && f.at < m.commits.count - 1000 ? 'all' : '1000';
  return `?sc=${seriesOf(c)}${known ? `&m=${c.metric}` : ''}&sv=${f.server}&last=${last}&on=${f.server}&sel=${short(f.head)}`;
};
