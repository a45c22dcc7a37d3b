import { describe, expect, it } from 'vitest';
import { axisOf, columns, firstScenario, lines, rankingOf, versionsOf } from '../src/leaderboard/rows.ts';
import { simulate } from './fixture/history.ts';
import { simulateRank } from './fixture/rank.ts';

const { rank } = simulateRank(simulate({ seed: 5, commits: 30 }));

describe('the leaderboard', () => {
  it('begins where throughput is ranked', () => {
    expect(firstScenario(rank)).toBe('stress-200');
    expect(firstScenario({ ...rank, rankings: [] })).toBe(rank.tables.at(-1)!.scenario);
    expect(firstScenario({ ...rank, rankings: [], tables: [] })).toBe('');
  });
  it('has who is ranked first, then who failed, then direct', () => {
    const of = lines(rank, 'stress-200').map((l) => l.row.target);
    expect(of.slice(0, -2)).toEqual(rankingOf(rank, 'stress-200')!.ranked.map((r) => r.server));
    expect(of.slice(-2)).toEqual(['rust-actix', 'direct']);
    expect(lines(rank, 'baseline').map((l) => l.row.target).at(-1)).toBe('direct');
    expect(rankingOf(rank, 'baseline')).toBeUndefined();
  });
  it('has no column without a figure, and first what the scenario asks', () => {
    expect(columns(rank, 'stress-200')[0]!.metric).toBe('rate_per_s');
    expect(columns(rank, 'steady')[0]!.metric).toBe('server_cpu_us_per_stream');
    expect(columns(rank, 'steady').map((c) => c.metric)).not.toContain('server_share_pct');
    expect(columns(rank, 'stress-200').map((c) => c.metric).sort()).toEqual([...rank.columns].sort());
  });
  it('has axes from 0 that hold every interval', () => {
    expect(axisOf([[2, 1, 3], null, undefined])).toEqual([0, 3]);
    expect(axisOf([[-1, -2, 1]])).toEqual([-2, 1]);
    expect(axisOf([null])).toEqual([0, 1]);
  });
  it('names versions in one order', () => {
    expect(versionsOf({ ...rank.tables[0]!.rows[0]!, versions: { hono: '4', bun: '1' } })).toBe('bun 1, hono 4');
    expect(versionsOf({ ...rank.tables[0]!.rows[0]!, versions: null })).toBe('');
  });
});
