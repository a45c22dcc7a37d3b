// Ranks in words. Sentences about them come with the data.
import type { Ranking } from '../data/types.ts';
import { listed } from './numbers.ts';

/** A rank, or a range of ranks; "?" after too few rounds, "-" without a rank. */
export function place(ranking: Ranking, server: string): string {
  const s = ranking.ranked.find((r) => r.server === server);
  if (!s) return '-';
  if (s.best === 0) return '?';
  return s.best === s.worst ? String(s.best) : `${s.best}-${s.worst}`;
}

/** The same for screen readers: "rank 2 to 3 of 8, tied". */
export function placeSpoken(ranking: Ranking, server: string): string {
  const s = ranking.ranked.find((r) => r.server === server);
  if (!s) return 'no rank';
  if (s.best === 0) return 'rank unknown, too few rounds';
  return s.best === s.worst
    ? `rank ${s.best} of ${ranking.ranked.length}`
    : `rank ${s.best} to ${s.worst} of ${ranking.ranked.length}, tied`;
}

/** A server's figure as a multiple of the first server's, with its interval. */
export function times(ranking: Ranking, server: string): { text: string; spread: string } {
  const i = ranking.ranked.findIndex((r) => r.server === server);
  const s = ranking.ranked[i];
  if (!s) return { text: '-', spread: '' };
  const interval = i > 0 && s.low !== null && s.high !== null;
  return {
    text: s.ratio.toFixed(2),
    spread: interval ? `${s.low!.toFixed(2)} to ${s.high!.toFixed(2)}` : '',
  };
}

/** Who is first and how sure that is: tied servers, or the distance to the next. */
export function standing(ranking: Ranking, best: string): string {
  const [first, next] = ranking.ranked;
  if (!first) return '';
  const begin = `${best} in ${ranking.scenario}: `;
  if (ranking.apart_pct === null) return `${begin}${first.server}, in too few rounds for ranks.`;
  const leaders = ranking.ranked.filter((s) => s.best === 1).map((s) => s.server);
  if (leaders.length > 1)
    return leaders.length === ranking.ranked.length
      ? `${begin}all servers are tied.`
      : `${begin}${listed(leaders)}, which are tied.`;
  if (!next) return `${begin}${first.server}.`;
  const { text, spread } = times(ranking, next.server);
  return `${begin}${first.server}. Next is ${next.server} with ${text} times as much${spread && ` (${spread})`}.`;
}
