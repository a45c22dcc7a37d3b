import type { Rank } from '../data/rank.ts';
import { runForm } from '../data/runs.ts';
import { matching, oneOf, type Fields } from '../state/url.ts';
import { firstScenario } from './rows.ts';

export interface LeaderboardState { run: string; sc: string; sort: string }

export const scenariosOf = (rank: Rank): string[] => rank.tables.map((t) => t.scenario);

/** Which run; '' is the newest. */
export const run = matching('run', runForm);

export const fieldsOf = (rank: Rank): Fields<LeaderboardState> => ({
  run,
  sc: oneOf('sc', scenariosOf(rank), firstScenario(rank)),
  sort: matching('sort', /^-?[a-z0-9_]{0,60}$/), // a column's key
});
