// A scenario's table of a leaderboard run, ready to show. It is pure, so that tests can compare it
// with the file.
import type { LeaderboardCell } from '../data/leaderboard.ts';
import type { Leaderboard, Ranking, LeaderboardRow } from '../data/types.ts';
import { direct } from '../data/leaderboard.ts';

/** The scenario that the page opens with: the highest level, since it ranks throughput. */
export function firstScenario(leaderboard: Leaderboard): string {
  const ranked = leaderboard.rankings.find((r) => r.metric === 'rate_per_s')?.scenario;
  return ranked ?? leaderboard.tables.at(-1)?.scenario ?? '';
}

export const rankingOf = (leaderboard: Leaderboard, scenario: string): Ranking | undefined =>
  leaderboard.rankings.find((r) => r.scenario === scenario && r.ranked.length > 0);

export interface Line {
  row: LeaderboardRow;
  place: number;
  isDirect: boolean;
}

/** Servers in the order of the ranking, then those without a rank, then failed ones, then direct. */
export function lines(leaderboard: Leaderboard, scenario: string): Line[] {
  const rows = leaderboard.tables.find((t) => t.scenario === scenario)?.rows ?? [];
  const order = rankingOf(leaderboard, scenario)?.ranked.map((r) => r.server) ?? [];
  const place = (row: LeaderboardRow): number => {
    if (row.target === direct) return 1e9;
    if (row.cells.every((c) => c === null)) return 1e8;
    const at = order.indexOf(row.target);
    return at < 0 ? 1e7 : at;
  };
  return rows
    .map((row) => ({ row, place: place(row), isDirect: row.target === direct }))
    .sort((a, b) => a.place - b.place);
}

const costs = ['server_cpu_us_per_stream', 'server_cpu_us_per_request', 'server_cpu_us_per_mb'];

/**
 * Columns with at least one figure, in the order of the file. CPU per stream or request comes first under paced
 * load, since the pace sets the rate.
 */
export function columns(
  leaderboard: Leaderboard,
  scenario: string,
): { metric: string; at: number }[] {
  const rows = leaderboard.tables.find((t) => t.scenario === scenario)?.rows ?? [];
  const first = scenario.startsWith('stress') ? [] : costs;
  return leaderboard.columns
    .map((metric, at) => ({ metric, at }))
    .filter(({ at }) => rows.some((r) => r.cells[at]))
    .sort((a, b) => Number(first.includes(b.metric)) - Number(first.includes(a.metric)));
}

const main = [
  'rate_per_s',
  'stream_p95_ms',
  'ttft_p95_ms',
  'itl_p99_ms',
  'request_p95_ms',
  'ttfb_p95_ms',
  ...costs,
  'server_cpu_mean_pct',
  'server_rss_peak_bytes',
  'failed_pct',
];

/** The columns that fit on a desk, and the column that sorts the rows. */
export const mainColumns = (
  leaderboard: Leaderboard,
  scenario: string,
  sort: string,
): { metric: string; at: number }[] =>
  columns(leaderboard, scenario).filter(
    ({ metric }) => main.includes(metric) || metric === sort.replace(/^-/, ''),
  );

/** The axis of a column. It begins at 0, so that readers can compare lengths. */
export function axisOf(cells: (LeaderboardCell | undefined)[]): [number, number] {
  const known = cells.filter((c) => c !== null && c !== undefined);
  return [Math.min(0, ...known.map((c) => c[1])), Math.max(0, ...known.map((c) => c[2])) || 1];
}

export const versionsOf = (row: LeaderboardRow): string =>
  Object.entries(row.versions ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, v]) => `${name} ${v}`)
    .join(', ');
