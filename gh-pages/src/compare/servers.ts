// What two servers of one run say of each other. What the run ranks is judged as the
// ranking does, by all servers and pairs of rounds together: else a server would be
// tied with another on the Leaderboard and worse than it here.
import type { Metric } from '../data/form.ts';
import type { Rank, Ranking } from '../data/rank.ts';
import type { Rec } from '../data/run.ts';
import { targetOf } from '../run/figures.ts';
import { listed, many, share } from '../words/numbers.ts';
import { signs, turnOfChange, turnWords } from '../words/verdict.ts';
import type { Compared } from './cells.ts';
import { changeWords, clear, intervalWords, type Words } from './words.ts';

/** A ranking that both are in, and the metrics that it speaks of. */
export interface Ruling { ranking: Ranking; metrics: string[] }

/** null: the scenario has no ranking with both. What is over direct or the ruler has the same ratio of two servers as what it is of. */
export function rulingOf(rank: Rank, scenario: string, x: string, y: string, metrics: Metric[]): Ruling | null {
  const ranking = rank.rankings.find((r) => r.scenario === scenario && r.apart_pct !== null && [x, y].every((s) => r.ranked.some((one) => one.server === s)));
  if (!ranking) return null;
  const over = metrics.find((m) => m.name === ranking.metric)?.over;
  // Under stress each VU waits for its stream to end: the mean time is the rate once more.
  const mean = ranking.metric === 'rate_per_s' ? ['stream_mean_ms'] : [];
  return { ranking, metrics: [ranking.metric, ...(over ? [over] : []), ...mean] };
}

/** The cell of two servers, as the ranking has it where it has it. */
export function asRanked(c: Compared, ruling: Ruling | null, first: string): Compared {
  if (!ruling?.metrics.includes(c.metric.name) || c.change === null) return c;
  const { ranked, apart_pct, metric } = ruling.ranking;
  const ratio = (server: string) => ranked.find((r) => r.server === server)!.ratio;
  const d = c.metric.name === metric ? Math.log(ratio(c.server) / ratio(first)) : Math.log1p(c.change);
  const half = Math.log1p(apart_pct! / 100);
  const [change, low, high] = [d, d - half, d + half].map(Math.expm1) as [number, number, number];
  const apart = Math.abs(d) > half;
  return { ...c, change, low, high, factor: half > 0 ? Math.abs(d) / half : null, turn: apart ? turnOfChange(change, c.metric.better) : 'unclear' };
}

/** Why a server has no figure at all in a scenario; null: it has some. */
export function lacks(records: Rec[], server: string, scenario: string): string | null {
  const its = records.filter((r) => targetOf(r) === server);
  const of = its.filter((r) => r.scenario === scenario);
  if (its.length === 0) return `${server} is not in the newest run of all servers.`;
  if (of.length === 0) return `${server} was not loaded in ${scenario}.`;
  if (of.some((r) => r.status !== 'invalid')) return null;
  const why = [...new Set(of.flatMap((r) => r.why))];
  return `${server} has no figures in ${scenario}${why.length ? `: ${why.join('; ')}` : ''}.`;
}

/** How two servers differ, in words. */
export function wordsOf(ruling: Ruling | null): Words {
  const ruled = (c: Compared) => ruling?.metrics.includes(c.metric.name) ?? false;
  const says = (c: Compared): string => {
    if (c.change === null) return 'not measured of both';
    if (c.low === null) return 'not judged: one round';
    if (c.turn !== 'unclear') return `${signs[c.turn]} ${turnWords[c.turn]}`;
    return `${signs.unclear} ${clear(c) ? 'differs, neither better nor worse' : ruled(c) ? 'tied' : 'no evidence of a difference'}`;
  };
  return { what: 'difference', says, summary: (cells, a, b) => summary(cells, a, b, ruling) };
}

function summary(cells: Compared[], a: string, b: string, ruling: Ruling | null): string {
  const known = cells.filter((c) => c.change !== null), judged = known.filter((c) => c.low !== null);
  if (known.length === 0) return `Nothing is known of both ${a} and ${b} here.`;
  if (judged.length === 0) return `None of ${many(known.length, 'cell')} can be judged: with one round nothing says how much of a difference is chance.`;
  const count = (is: (c: Compared) => boolean) => judged.filter(is).length;
  const neither = count((c) => c.turn === 'unclear' && clear(c)), unclear = count((c) => c.turn === 'unclear' && !clear(c));
  const parts = [];
  const first = judged.find((c) => c.metric.name === ruling?.ranking.metric);
  if (first && ruling) parts.push(`By ${first.metric.label} ${b} is ${first.turn === 'unclear' ? `tied with ${a}` : `${first.turn} than ${a}`}, as the Leaderboard ranks them: ${changeWords(first)}, and less than ${share(ruling.ranking.apart_pct! / 100)} apart is a tie.`);
  parts.push(`Of ${many(judged.length, 'cell')}, ${b} is worse than ${a} in ${count((c) => c.turn === 'worse')}, better in ${count((c) => c.turn === 'better')}${neither ? `, and otherwise different in ${neither}` : ''}; in ${unclear} there is no evidence of a difference.`);
  const worst = judged.filter((c) => c.turn === 'worse').toSorted((x, y) => (y.factor ?? 0) - (x.factor ?? 0))[0];
  if (worst) parts.push(`Clearest: ${worst.metric.label} ${changeWords(worst)} ${intervalWords(worst)}.`);
  return parts.join(' ');
}

/** How cells of two servers are judged, for a reader. */
export function judgedWords(ruling: Ruling | null, metrics: Metric[]): string {
  const labels = ruling?.metrics.flatMap((name) => metrics.find((m) => m.name === name)?.label ?? []) ?? [];
  const pairs = "Student's t over the differences of these pairs alone, each cell by itself: of equal servers 1 cell in 20 would be outside its interval, and with few rounds the interval is wide";
  const both = 'These are of the newest run of all servers: both were loaded in the same minutes, so each round is a pair.';
  if (!ruling) return `${both} The interval is ${pairs}.`;
  return `${both} The interval of ${listed(labels)} is that of the ranking, from the rounds of all its servers, wide enough for all pairs of them: so who is tied on the Leaderboard is tied here. That of the others is ${pairs}. The two may differ.`;
}
