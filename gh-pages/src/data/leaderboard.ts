// A run in which all servers were loaded in the same minutes: data/leaderboard.HASH.json (type
// Leaderboard in scripts/internal/show/site/form.go).
import { noun } from './workload.ts';
import { located, type Answer, type Site } from './fetch.ts';
import type { Leaderboard, LeaderboardRow, Leaderboards } from './types.ts';

/** Mean, least and greatest of the rounds that count, in the metric's unit; null is unknown. */
export type LeaderboardCell = LeaderboardRow['cells'][number];

export const leaderboardsOf = (site: Site): Promise<Answer<Leaderboards>> =>
  site.read<Leaderboards>((m) => located(m.leaderboards, 'the list of runs of all servers'));

export const newestLeaderboard = (site: Site): Promise<Answer<Leaderboard>> =>
  site.read<Leaderboard>((m) => located(m.leaderboard, 'the newest leaderboard'));

/** The leaderboard of a run, or of the newest for ''; null: it is not in the list. */
export async function leaderboardOf(
  site: Site,
  run: string,
): Promise<Answer<{ leaderboard: Leaderboard; newest: boolean } | null>> {
  const list = run === '' ? null : await leaderboardsOf(site);
  if (list && !list.ok) return list;
  const at = list ? list.value.leaderboards.findIndex((r) => r.run === run) : 0;
  const file = list?.value.leaderboards[at]?.file;
  if (at < 0) return { ok: true, value: null };
  const leaderboard = await (file
    ? site.read<Leaderboard>(() => located(file, file))
    : newestLeaderboard(site));
  return leaderboard.ok
    ? { ok: true, value: { leaderboard: leaderboard.value, newest: at === 0 } }
    : leaderboard;
}

export const direct = 'direct';

/** A target's cell; undefined where the run has no such scenario, target or metric. */
export function cellOf(
  leaderboard: Leaderboard,
  scenario: string,
  target: string,
  metric: string,
): LeaderboardCell | undefined {
  const at = leaderboard.columns.indexOf(metric);
  return leaderboard.tables
    .find((t) => t.scenario === scenario)
    ?.rows.find((r) => r.target === target)?.cells[at];
}

/** Every target but direct, in the order of the tables. */
export const serversOf = (leaderboard: Leaderboard): string[] =>
  [...new Set(leaderboard.tables.flatMap((t) => t.rows.map((r) => r.target)))].filter(
    (t) => t !== direct,
  );

/** What low and high are, for a reader. */
export function spreadWords(leaderboard: Pick<Leaderboard, 'rounds'>): string {
  if (leaderboard.rounds < 2)
    return 'These are the figures of one round, so their spread is unknown.';
  return (
    `Figures are means of ${leaderboard.rounds} rounds, with the least and the greatest round beside them. ` +
    `These are not a confidence interval. A round in which ${noun()}s failed does not count.`
  );
}
