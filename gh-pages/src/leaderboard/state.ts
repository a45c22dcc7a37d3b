import type { Rank } from '../data/rank.ts';
import { runForm } from '../data/runs.ts';
import { matching, oneOf, sortOf, type Fields } from '../state/url.ts';
import { firstScenario } from './rows.ts';

export interface LeaderboardState { run: string; sc: string; sort: string; cols: 'main' | 'all' }

export const scenariosOf = (rank: Rank): string[] => rank.tables.map((t) => t.scenario);

/** Which run; '' is the newest. */
export const run = matching('run', runForm);

export const fieldsOf = (rank: Rank): Fields<LeaderboardState> => ({
  run,
  sc: oneOf('sc', scenariosOf(rank), firstScenario(rank)),
  cols: oneOf('cols', ['main', 'all'], 'main'),
  sort: sortOf(['server', 'rank', 'times', 'step', ...rank.columns]),
});
