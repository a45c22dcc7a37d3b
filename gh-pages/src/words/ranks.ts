// Ranks and ties in words. `scripts/bench report` has the same sentences. Digits and units are those
// of the tables of this site.
import type { Leaderboard, Ranking } from '../data/types.ts';
import { cellOf } from '../data/leaderboard.ts';
import type { Metric } from '../data/form.ts';
import { noun } from '../data/workload.ts';
import { listed, three } from './numbers.ts';

/** A rank, or a range of ranks; "?" after one round, "-" without a rank. */
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
  if (s.best === 0) return 'rank unknown, one round';
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

/** When servers of the ranking are tied. */
export function tie(ranking: Ranking): string {
  if (ranking.apart_pct === null) {
    return (
      'One round gives no ranks, since the spread between rounds is unknown. The order is that of ' +
      'the figures.'
    );
  }
  return `Servers less than ${ranking.apart_pct.toFixed(1)} % apart are tied and share a range of ranks.`;
}

export const tieRule =
  'Two servers are tied when their difference is within the noise between rounds. The noise is what ' +
  "remains after each server's and each round's mean are subtracted. The threshold is Student's t " +
  'over all pairs of servers, with a 5 % risk that any two equal servers get different ranks. Only ' +
  'differences within a round count.';

/** Who is first, who is tied with it, and who is last; '' where nobody is ranked. */
export function sentence(leaderboard: Leaderboard, ranking: Ranking, m: Metric): string {
  const [first] = ranking.ranked,
    last = ranking.ranked.at(-1);
  if (!first || !last || first === last) return '';
  const [most, least] = m.better === 'higher' ? ['most', 'least'] : ['least', 'most'];
  const figure = (server: string) => {
    const c = cellOf(leaderboard, ranking.scenario, server, m.name);
    return c ? three(c[0] * m.scale) : 'unknown';
  }; // its unit is in the label
  const unranked = ranking.unranked?.length
    ? `; not ranked, since ${noun()}s failed or a round is missing: ${listed(ranking.unranked)}`
    : '';
  const tied = ranking.ranked
    .slice(1)
    .filter((s) => s.best === 1)
    .map((s) => s.server);
  const inOne = ranking.apart_pct === null;
  if (!inOne && tied.length === ranking.ranked.length - 1)
    return `In ${ranking.scenario} all servers are tied; ${first.server} has the ${most} ${m.label} (${figure(first.server)})${unranked}.`;
  return `In ${ranking.scenario}${inOne ? ', in the one round,' : ''} ${first.server} ${inOne ? 'had' : 'has'} the ${most} ${m.label} (${figure(first.server)})${tied.length && !inOne ? `, tied with ${listed(tied)}` : ''}; ${last.server} the ${least} (${figure(last.server)}, ${last.ratio.toFixed(2)} times as much)${unranked}.`;
}

/** Who is first and how sure that is: tied servers, or the distance to the next. */
export function standing(ranking: Ranking, best: string): string {
  const [first, next] = ranking.ranked;
  if (!first) return '';
  const begin = `${best} in ${ranking.scenario}: `;
  if (ranking.apart_pct === null) return `${begin}${first.server}, in the only round.`;
  const leaders = ranking.ranked.filter((s) => s.best === 1).map((s) => s.server);
  if (leaders.length > 1)
    return leaders.length === ranking.ranked.length
      ? `${begin}all servers are tied.`
      : `${begin}${listed(leaders)}, which are tied.`;
  if (!next) return `${begin}${first.server}.`;
  const { text, spread } = times(ranking, next.server);
  return `${begin}${first.server}. Next is ${next.server} with ${text} times as much${spread && ` (${spread})`}.`;
}
