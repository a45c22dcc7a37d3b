// Ranks and ties in words, as `scripts/bench report` has them: the same run reads
// the same here and there.
import type { Ranking } from '../data/rank.ts';

/** A rank, or its range; "?" where one round says nothing of chance, "-" where there is none. */
export function place(ranking: Ranking, server: string): string {
  const s = ranking.ranked.find((r) => r.server === server);
  if (!s) return '-';
  if (s.best === 0) return '?';
  return s.best === s.worst ? String(s.best) : `${s.best}-${s.worst}`;
}

/** The same for who listens: "second to third, tied". */
export function placeSpoken(ranking: Ranking, server: string): string {
  const s = ranking.ranked.find((r) => r.server === server);
  if (!s) return 'no rank';
  if (s.best === 0) return 'rank unknown, one round';
  return s.best === s.worst ? `rank ${s.best} of ${ranking.ranked.length}` : `rank ${s.best} to ${s.worst} of ${ranking.ranked.length}, tied`;
}

/** How many times the first's a server's figure is, with its interval. */
export function times(ranking: Ranking, server: string): { text: string; spread: string } {
  const i = ranking.ranked.findIndex((r) => r.server === server);
  const s = ranking.ranked[i];
  if (!s) return { text: '-', spread: '' };
  const interval = i > 0 && s.low !== null && s.high !== null;
  return { text: s.ratio.toFixed(2), spread: interval ? `${s.low!.toFixed(2)} to ${s.high!.toFixed(2)}` : '' };
}

/** When servers of the ranking are tied. */
export function tie(ranking: Ranking): string {
  if (ranking.apart_pct === null) {
    return 'One round: the order is as it was seen, and no rank is given, since nothing says how much of it is chance.';
  }
  return `Less than ${ranking.apart_pct.toFixed(1)} % apart is a tie; the rank is then a range.`;
}

export const tieRule = "Two servers are tied when they differ by no more than what is left between the rounds once each server's and each round's mean is taken away "
  + '(Student\'s t over all pairs of servers, 5 % risk that any two equal ones are told apart). Only differences within a round count, and the order is that of geometric means over the rounds.';
