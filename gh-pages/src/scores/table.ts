// Scores of all servers of a run: each by itself, so that what is chosen or sorted
// changes which rows are seen and no number in them.
import { cellOf, serversOf, type Rank } from '../data/rank.ts';
import { scoresOf, type Scored } from './score.ts';

export interface ServerScores extends Scored { server: string }

export const scoreTable = (rank: Rank, chosen: readonly string[] = serversOf(rank)): ServerScores[] =>
  serversOf(rank).filter((s) => chosen.includes(s))
    .map((server) => ({ server, ...scoresOf((scenario, metric) => cellOf(rank, scenario, server, metric) ?? undefined) }));

/** One digit after the point; what has no figure says so. */
export const scoreText = (score: number | null): string => (score === null ? 'no figure' : score.toFixed(1));
