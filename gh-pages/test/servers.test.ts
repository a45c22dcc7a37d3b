import { describe, expect, it } from 'vitest';
import { domainOf } from '../src/chart/dots.tsx';
import { sameMinutes, type Compared } from '../src/compare/cells.ts';
import { asRanked, judgedWords, lacks, rulingOf, wordsOf } from '../src/compare/servers.ts';
import { unpack } from '../src/data/run.ts';
import { simulate } from './fixture/history.ts';
import { simulateRank } from './fixture/rank.ts';
import { metrics } from './fixture/table.ts';

const { rank, legs } = simulateRank(simulate({ seed: 5, commits: 30 }));
const { records } = unpack(legs);
const rate = metrics.find((m) => m.name === 'rate_per_s')!;
const ranking = rank.rankings.find((r) => r.metric === 'rate_per_s')!;
const compared = (x: string, y: string, metric = rate) => {
  const ruling = rulingOf(rank, ranking.scenario, x, y, metrics);
  return { ruling, c: asRanked(sameMinutes(records, x, y, ranking.scenario, metric), ruling, x) };
};

describe('two servers of a ranking', () => {
  it('are tied here when they are tied there, whatever a t test of their pairs says', () => {
    let tied = 0, apart = 0, others = 0;
    for (const a of ranking.ranked) for (const b of ranking.ranked) {
      if (a === b) continue;
      const isTied = Math.abs(Math.log(b.ratio / a.ratio)) <= Math.log1p(ranking.apart_pct! / 100);
      for (const metric of metrics.filter((m) => ['rate_per_s', 'rate_over_direct', 'stream_mean_ms'].includes(m.name))) {
        const { c } = compared(a.server, b.server, metric);
        expect(c.turn, `${b.server} against ${a.server}, ${metric.name}`).toBe(isTied ? 'unclear' : b.ratio < a.ratio ? 'worse' : 'better');
      }
      const alone = sameMinutes(records, a.server, b.server, ranking.scenario, rate).turn;
      others += (alone === 'unclear') === isTied ? 0 : 1;
      if (isTied) tied++; else apart++;
    }
    expect(Math.min(tied, apart, others), 'the simulated run has all three').toBeGreaterThan(0);
  });
  it('say what ties them', () => {
    const pair = ranking.ranked.slice(0, 2).map((r) => r.server) as [string, string];
    const { c, ruling } = compared(...pair);
    expect(wordsOf(ruling).says(c)).toBe('● tied');
    expect(wordsOf(ruling).summary([c], ...pair)).toContain(`By req/s ${pair[1]} is tied with ${pair[0]}, as the Leaderboard ranks them`);
    expect(judgedWords(ruling, metrics)).toContain('The interval of req/s, req/s over direct and mean ms is that of the ranking');
  });
  it('are judged by their pairs alone where nothing is ranked, and the page says so', () => {
    const ruling = rulingOf(rank, 'baseline', 'go-http', 'go-gin', metrics);
    expect(ruling).toBeNull();
    expect(judgedWords(ruling, metrics)).not.toContain('ranking');
    const one = rulingOf({ ...rank, rankings: rank.rankings.map((r) => ({ ...r, apart_pct: null })) }, ranking.scenario, 'go-http', 'go-gin', metrics);
    expect(one, 'one round gives no ranks').toBeNull();
  });
  it('count what differs and is neither better nor worse by itself', () => {
    const c = (turn: Compared['turn'], low: number): Compared => ({ server: 'b', scenario: 's', metric: rate, a: null, b: null, change: 0.1, low, high: 0.2, absolute: false, turn, lost: null, factor: 2 });
    expect(wordsOf(null).summary([c('unclear', 0.05), c('unclear', -0.1), c('worse', 0.05)], 'a', 'b')).toContain('b is worse than a in 1, better in 0, and otherwise different in 1; in 1 there is no evidence of a difference');
  });
});

it('names a server that died, or was not there', () => {
  expect(lacks(records, 'rust-actix', 'stress-200')).toMatch(/^rust-actix has no figures in stress-200: it exited with 137/);
  expect(lacks(records, 'go-http', 'stress-200')).toBeNull();
  expect(lacks(records, 'zig-http', 'stress-200')).toContain('is not in the newest run');
});

it('draws intervals on an axis that one far away does not press together', () => {
  const near = [0.01, 0.02, 0.04, 0.05].map((v) => ({ low: v - 0.01, high: v + 0.01 }));
  const [low, high] = domainOf([...near, { low: 1.48, high: 1.52 }], [-0.02, 0.02]);
  expect(high).toBeLessThan(0.3);
  expect([low <= -0.02, high >= 0.06]).toEqual([true, true]);
  expect(domainOf([], [-0.02, 0.02])).toEqual([-0.02, 0.02]);
});
