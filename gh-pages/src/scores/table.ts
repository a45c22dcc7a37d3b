// Scores of all servers of a run: each by itself, so that what is chosen or sorted
// changes which rows are seen and no number in them.
import { cellOf, serversOf, type Rank } from '../data/rank.ts';
import { axes } from './axes.ts';
import { scoresOf, type Scored } from './score.ts';

export interface ServerScores extends Scored { server: string; absent: ('failed' | 'not measured')[] } // an axis each: why there is no score, if there is none

export const scoreTable = (rank: Rank, chosen: readonly string[] = serversOf(rank)): ServerScores[] =>
  serversOf(rank).filter((s) => chosen.includes(s)).map((server) => ({
    server, ...scoresOf((scenario, metric) => cellOf(rank, scenario, server, metric) ?? undefined),
    absent: axes.map(({ scenario }) => (rank.tables.find((t) => t.scenario === scenario)?.rows.find((r) => r.target === server)?.status === 'invalid' ? 'failed' : 'not measured')),
  }));

/** One digit after the point; what has no score says why. */
export const scoreText = (score: number | null, absent = 'not measured'): string => (score === null ? absent : score.toFixed(1));

/** Of all servers the mean, best first; means of fewer axes are not in that order and come apart. */
export function answer(rows: ServerScores[]): string {
  const known = rows.filter((r) => r.mean !== null).toSorted((a, b) => b.mean! - a.mean!);
  const [whole, part] = [known.filter((r) => r.count === axes.length), known.filter((r) => r.count < axes.length)];
  const said = whole.map((r) => `${r.server} ${scoreText(r.mean)}`);
  if (known.length === 0) return 'No server of this run has a figure that is scored.';
  const others = part.map((r) => `${r.server} ${scoreText(r.mean)} (of ${r.count} axes only)`);
  return `${[...(said.length ? [`Means of all ${axes.length} axes: ${said.join(', ')}`] : []), ...others].join('; ')}. Within 2 points is no difference to speak of.`;
}
