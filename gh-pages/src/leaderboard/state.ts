import type { Leaderboard } from '../data/types.ts';
import { runForm } from '../data/runs.ts';
import { matching, oneOf, sortOf, type Fields } from '../state/url.ts';
import { firstScenario } from './rows.ts';
import { axisMetrics } from './scores.ts';

export const views = ['figures', 'all', 'scores', 'memory'] as const;
export type View = (typeof views)[number];

export interface LeaderboardState {
  run: string;
  view: View;
  sc: string;
  sort: string;
}

export const scenariosOf = (leaderboard: Leaderboard): string[] =>
  leaderboard.tables.map((t) => t.scenario);

/** Which run; '' is the newest. */
export const run = matching('run', runForm);

export const fieldsOf = (leaderboard: Leaderboard): Fields<LeaderboardState> => ({
  run,
  view: oneOf('view', views, 'figures'),
  sc: oneOf('sc', scenariosOf(leaderboard), firstScenario(leaderboard)),
  sort: sortOf([
    ...new Set([
      'server',
      'rank',
      'times',
      'step',
      'share',
      'server_rss_mean_bytes',
      ...leaderboard.columns,
      ...axisMetrics(leaderboard),
    ]),
  ]),
});
