import { describe, expect, it } from 'vitest';
import {
  axisOf,
  columns,
  firstScenario,
  lines,
  rankingOf,
  versionsOf,
} from '../src/leaderboard/rows.ts';
import { held, says } from '../src/leaderboard/memory.tsx';
import { outlineOf } from '../src/leaderboard/radar.tsx';
import { axesOf, bestOf, score, scoresOf, scoreText } from '../src/leaderboard/scores.ts';
import { cellOf } from '../src/data/leaderboard.ts';
import { simulate } from './fixture/history.ts';
import { more, simulateRank } from './fixture/leaderboard.ts';
import { metrics } from './fixture/table.ts';

const { leaderboard } = simulateRank(simulate({ seed: 5, commits: 30 }));

describe('the leaderboard', () => {
  it('begins where throughput is ranked', () => {
    expect(firstScenario(leaderboard)).toBe('stress-200');
    expect(firstScenario({ ...leaderboard, rankings: [] })).toBe(
      leaderboard.tables.at(-1)!.scenario,
    );
    expect(firstScenario({ ...leaderboard, rankings: [], tables: [] })).toBe('');
  });
  it('has who is ranked first, then who failed, then direct', () => {
    const of = lines(leaderboard, 'stress-200').map((l) => l.row.target);
    expect(of.slice(0, -2)).toEqual(
      rankingOf(leaderboard, 'stress-200')!.ranked.map((r) => r.server),
    );
    expect(of.slice(-2)).toEqual(['rust-actix', 'direct']);
    expect(
      lines(leaderboard, 'baseline')
        .map((l) => l.row.target)
        .at(-1),
    ).toBe('direct');
    expect(rankingOf(leaderboard, 'baseline')).toBeUndefined();
  });
  it('has no column without a figure, and first what the scenario asks', () => {
    expect(columns(leaderboard, 'stress-200')[0]!.metric).toBe('rate_per_s');
    expect(columns(leaderboard, 'steady')[0]!.metric).toBe('server_cpu_us_per_stream');
    expect(columns(leaderboard, 'steady').map((c) => c.metric)).not.toContain('server_share_pct');
    expect(
      columns(leaderboard, 'stress-200')
        .map((c) => c.metric)
        .sort(),
    ).toEqual([...leaderboard.columns].sort());
  });
  it('has axes from 0 that hold every interval', () => {
    expect(axisOf([[2, 1, 3], null, undefined])).toEqual([0, 3]);
    expect(axisOf([[-1, -2, 1]])).toEqual([-2, 1]);
    expect(axisOf([null])).toEqual([0, 1]);
  });
  it('names versions in one order', () => {
    expect(
      versionsOf({ ...leaderboard.tables[0]!.rows[0]!, versions: { hono: '4', bun: '1' } }),
    ).toBe('bun 1, hono 4');
    expect(versionsOf({ ...leaderboard.tables[0]!.rows[0]!, versions: {} })).toBe('');
  });
});

describe('scores of a run', () => {
  const axes = axesOf(leaderboard, [...metrics, ...more]);
  const rows = scoresOf(leaderboard, axes);

  it('are shares of the best of this run, the other way round where less is better', () => {
    expect([
      score(50, 200, 'higher'),
      score(200, 50, 'lower'),
      score(200, 200, 'higher'),
      score(0, 0, 'lower'),
      score(3, 0, 'lower'),
    ]).toEqual([25, 25, 100, 100, 0]);
    expect([score(null, 5, 'lower'), score(-1, 5, 'higher'), score(2, -1, 'lower')]).toEqual([
      null,
      null,
      null,
    ]);
  });
  it('have a best on each axis, and each figure stands where the file has it', () => {
    expect(axes).toHaveLength(6);
    axes.forEach((axis, i) => {
      const figures = rows.flatMap((r) => r.by[i]!.figure ?? []);
      const best = axis.metric.better === 'higher' ? Math.max(...figures) : Math.min(...figures);
      expect(Math.max(...rows.map((r) => r.by[i]!.score ?? 0)), axis.label).toBe(100);
      for (const r of rows) {
        expect(r.by[i]!.figure).toBe(
          cellOf(leaderboard, axis.scenario, r.server, axis.metric.name)?.[0] ?? null,
        );
        expect(r.by[i]!.score === 100, `${r.server} ${axis.label}`).toBe(r.by[i]!.figure === best);
      }
    });
    expect(
      bestOf(rows, axes)
        .split(', ')
        .map((s) => s.split(' ').at(-1)),
    ).toEqual(axes.map((_, i) => rows.findLast((r) => r.by[i]!.score === 100)!.server));
  });
  it('are none of who failed, and say so', () => {
    const actix = rows.find((r) => r.server === 'rust-actix')!;
    expect(actix.by.map(scoreText).filter((text) => text === 'failed')).toHaveLength(4);
    expect(scoreText({ figure: null, score: null, absent: 'not measured' })).toBe('not measured');
  });
  it('are drawn with a gap where an axis was not measured', () => {
    const edges = (scores: (number | null)[]) => outlineOf(scores).split('M').length - 1;
    expect([edges([1, 2, 3, 4]), edges([1, null, 3, 4]), edges([null, null, null, null])]).toEqual([
      4, 2, 0,
    ]);
  });
});

describe('memory of a run', () => {
  it('is that of the file, with its share of all peaks; unknown is not 0', () => {
    const rows = held(leaderboard, 'stress-200');
    const sum = rows.reduce((total, r) => total + (r.peak?.[0] ?? 0), 0);
    for (const r of rows) {
      expect(r.peak).toEqual(cellOf(leaderboard, 'stress-200', r.server, 'server_rss_peak_bytes'));
      expect(r.share).toEqual(r.peak ? r.peak[0] / sum : null);
    }
    expect(rows.find((r) => r.server === 'rust-actix')).toMatchObject({
      peak: null,
      share: null,
      failed: true,
    });
    expect(says(rows, 'stress-200')).toMatch(
      /^In stress-200 rust-\S+ peaks at [\d.]+ MB, the least, bun-\S+ at [\d.]+ MB, the most\. rust-actix: failed\.$/,
    );
    expect(says([], 'stress-200')).toBe("No server's memory is known in stress-200.");
  });
});
