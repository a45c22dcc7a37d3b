import type { Server } from '../data/form.ts';
import { oneOf, renames, someOf, sortOf, type Fields } from '../state/url.ts';
import { axes, version } from './axes.ts';

export const ways = ['dots', 'radar', 'table'] as const;

export interface ScoresState { v: string; as: (typeof ways)[number]; sv: readonly string[]; sort: string }

/** scored: names of servers in the run that is scored. */
export const fieldsOf = (scored: string[], servers: Server[]): Fields<ScoresState> => ({
  v: oneOf('v', [String(version)], String(version)),
  as: oneOf('as', ways, 'dots'),
  sv: someOf('sv', scored, scored, renames(servers)),
  sort: sortOf(['server', ...axes.map((a) => a.id), 'mean', 'count']),
});
