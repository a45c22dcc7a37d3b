import { Bar } from '../chart/bar.tsx';
import { Mark, type Looks } from '../chart/mark.tsx';
import { Table, type Col } from '../chart/table.tsx';
import type { Site } from '../data/fetch.ts';
import type { LeaderboardCell } from '../data/leaderboard.ts';
import type { Leaderboard } from '../data/types.ts';
import { cellOf, serversOf } from '../data/leaderboard.ts';
import { exactly, listed, share, three } from '../words/numbers.ts';
import { metricOf } from '../words/verdict.ts';
import { axisOf } from './rows.ts';

export interface Held {
  server: string;
  failed: boolean;
  peak: LeaderboardCell;
  mean: LeaderboardCell;
  share: number | null;
}

/** Each server's memory in a scenario, with its share of the sum of all peaks. */
export function held(leaderboard: Leaderboard, scenario: string): Held[] {
  const rows = serversOf(leaderboard).map((server) => ({
    server,
    failed:
      leaderboard.tables.find((t) => t.scenario === scenario)?.rows.find((r) => r.target === server)
        ?.status === 'invalid',
    peak: cellOf(leaderboard, scenario, server, 'server_rss_peak_bytes') ?? null,
    mean: cellOf(leaderboard, scenario, server, 'server_rss_mean_bytes') ?? null,
  }));
  const sum = rows.reduce((total, r) => total + (r.peak?.[0] ?? 0), 0);
  return rows.map((r) => ({ ...r, share: r.peak && sum > 0 ? r.peak[0] / sum : null }));
}

/** Who holds least and most. */
export function says(rows: Held[], scenario: string): string {
  const known = rows
    .flatMap(({ server, peak }) => (peak ? [{ server, mb: peak[0] / 1e6 }] : []))
    .sort((a, b) => a.mb - b.mb);
  const [first] = known,
    last = known.at(-1);
  const failed = rows.filter((r) => !r.peak && r.failed).map((r) => r.server);
  const without = failed.length ? ` ${listed(failed)}: failed.` : '';
  if (!first || !last) return `No server's memory is known in ${scenario}.${without}`;
  return `In ${scenario} ${first.server} peaks at ${three(first.mb)} MB${first === last ? '' : `, the least, ${last.server} at ${three(last.mb)} MB, the most`}.${without}`;
}

export function Memory({
  site,
  leaderboard,
  scenario,
  sort,
  onSort,
  looks,
}: {
  site: Site;
  leaderboard: Leaderboard;
  scenario: string;
  sort: string;
  onSort: (sort: string) => void;
  looks: Looks;
}) {
  const rows = held(leaderboard, scenario);
  const domain = axisOf(rows.flatMap((r) => [r.peak, r.mean]));
  const figure = (name: string, of: (r: Held) => LeaderboardCell): Col<Held> => {
    const m = metricOf(site.manifest.metrics, name);
    return {
      key: name,
      label: m.label,
      head: m.label,
      title: m.means,
      better: 'lower',
      sort: (r) => of(r)?.[0] ?? null,
      exact: (r) => exactly(of(r)?.[0] ?? null, m),
      cell: (r) => {
        const c = of(r);
        if (!c) return <span class="soft">{r.failed ? 'failed' : 'unknown'}</span>;
        const [mid, low, high] = c.map((v) => three(v * m.scale)) as [string, string, string];
        return (
          <div class="figure-cell">
            <span>{mid}</span>
            <small>{low === high ? '\u00a0' : `${low} to ${high}`}</small>
            <Bar value={c[0]} low={c[1]} high={c[2]} domain={domain} width={120} />
          </div>
        );
      },
    };
  };
  const cols: Col<Held>[] = [
    {
      key: 'server',
      label: 'server',
      head: 'server',
      header: true,
      sort: (r) => r.server,
      cell: (r) => (
        <>
          <Mark of={looks(r.server)} /> {r.server}
        </>
      ),
    },
    figure('server_rss_peak_bytes', (r) => r.peak),
    figure('server_rss_mean_bytes', (r) => r.mean),
    {
      key: 'share',
      label: 'share of all',
      head: 'share of all',
      title: "of the sum of all servers' peaks",
      better: 'lower',
      sort: (r) => r.share,
      cell: (r) => (r.share === null ? (r.failed ? 'failed' : 'unknown') : share(r.share)),
    },
  ];
  return (
    <>
      <p class="answer">{says(rows, scenario)}</p>
      <Table
        caption={`Memory in ${scenario}`}
        cols={cols}
        rows={rows}
        id={(r) => r.server}
        sort={sort}
        onSort={onSort}
      />
      <p class="soft">
        Peak RSS is the kernel's own mark (VmHWM), reset when a level begins, of the server and its
        children; memory that processes share counts for each. Whether memory grows under a load
        that stays is measured by <code>scripts/bench soak</code>.
      </p>
    </>
  );
}
