import { Bar } from '../chart/bar.tsx';
import { Mark, type Looks } from '../chart/mark.tsx';
import { Table, type Col } from '../chart/table.tsx';
import type { Site } from '../data/fetch.ts';
import type { Rec } from '../data/run.ts';
import { href } from '../frame/pages.ts';
import type { Figure } from '../run/figures.ts';
import { exact, many, share, three } from '../words/numbers.ts';
import { growth, perStream, type Held } from './memory.ts';

const mb = (f: Figure) => three(f.mid / 1e6);
const spread = (f: Figure, by: number) => (f.rounds > 1 && three(f.low / by) !== three(f.high / by) ? `${three(f.low / by)} to ${three(f.high / by)}` : '');

const absent = (r: Held) => (r.failed ? 'failed' : 'unknown');

export function MemoryTable({ site, records, rows, scenario, looks, sort, onSort }: { site: Site; records: Rec[]; rows: Held[]; scenario: string; looks: Looks; sort: string; onSort: (s: string) => void }) {
  const most = Math.max(1, ...rows.flatMap((r) => (r.peak ? [r.peak.high] : [])));
  const further = perStream(records);
  const figure = (key: string, head: string, title: string, of: (r: Held) => Figure | null): Col<Held> => ({
    key, label: head, head, title, better: 'lower', sort: (r) => of(r)?.mid ?? null,
    exact: (r) => { const f = of(r); return f ? `${exact(f.mid)} bytes, ${exact(f.low)} to ${exact(f.high)} of ${many(f.rounds, 'round')}` : 'not measured'; },
    cell: (r) => { const f = of(r); return f ? <div class="figure-cell"><span>{mb(f)}</span><small class={spread(f, 1e6) ? '' : 'blank'}>{spread(f, 1e6) || '\u00a0'}</small><Bar value={f.mid} low={f.low} high={f.high} domain={[0, most]} width={120} /></div> : <span class="soft">{absent(r)}</span>; },
  });
  const cols: Col<Held>[] = [
    { key: 'server', label: 'server', head: 'server', header: true, sort: (r) => r.server, cell: (r) => <><Mark of={looks(r.server)} /> {r.server}{r.doubtful && ' *'}</> },
    figure('peak', 'peak RSS, MB', `most memory that the server and its children held in ${scenario}`, (r) => r.peak),
    figure('mean', 'mean RSS, MB', 'mean over the seconds sampled in the whole loading', (r) => r.mean),
    { key: 'share', label: 'share of all servers', head: 'share of all', better: 'lower', sort: (r) => r.share, cell: (r) => (r.share === null ? absent(r) : share(r.share)) },
    { key: 'ram', label: "share of the machine's RAM", head: "of the machine's RAM", better: 'lower', sort: (r) => r.ofMachine, cell: (r) => (r.ofMachine === null ? absent(r) : share(r.ofMachine)) },
  ];
  if (further) {
    cols.push({
      key: 'further', label: 'a further stream, kB', head: 'a further stream, kB', title: `peak in ${further.to} less that in ${further.from}, for each stream more that is open`,
      better: 'lower', sort: (r) => further.bytes.get(r.server)?.mid ?? null,
      cell: (r) => { const f = further.bytes.get(r.server); return f ? <div class="figure-cell"><span>{three(f.mid / 1e3)}</span><small>{spread(f, 1e3)}</small></div> : absent(r); },
    });
  }
  if (rows.some((r) => growth(records, r.server))) {
    cols.push({
      key: 'growth', label: 'growth, bytes a stream', head: 'growth, bytes a stream', title: 'least squares over a load of five minutes or more, with its 95 % interval',
      better: 'lower', sort: (r) => growth(records, r.server)?.bytes ?? null,
      cell: (r) => { const g = growth(records, r.server); return g ? <div class="figure-cell"><span>{three(g.bytes)}</span><small>{three(g.low)} to {three(g.high)}</small></div> : absent(r); },
    });
  }
  cols.push({
    key: 'trend', label: 'trend', head: 'trend', words: true,
    cell: (r) => <a href={href(site.root, 'trend', `?sc=${scenario}&m=server_rss_peak_bytes&sv=${r.server}`)}>over commits<span class="hidden"> of {r.server}</span></a>,
  });
  return <Table caption={`Memory in ${scenario}`} cols={cols} rows={rows} id={(r) => r.server} sort={sort} onSort={onSort} />;
}
