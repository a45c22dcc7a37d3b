import type { Rank } from '../data/rank.ts';
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

export const scenariosOf = (rank: Rank): string[] => rank.tables.map((t) => t.scenario);

/** Which run; '' is the newest. */
export const run = matching('run', runForm);

export const fieldsOf = (rank: Rank): Fields<LeaderboardState> => ({
  run,
  view: oneOf('view', views, 'figures'),
  sc: oneOf('sc', scenariosOf(rank), firstScenario(rank)),
  sort: sortOf([
    ...new Set([
      'server',
      'rank',
      'times',
      'step',
      'share',
      'server_rss_mean_bytes',
      ...rank.columns,
      ...axisMetrics,
    ]),
  ]),
});
