import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serversOf, type Rank, type RankRow } from '../src/data/rank.ts';
import { outlineOf } from '../src/scores/radar.tsx';
import { answer, scoreTable, scoreText } from '../src/scores/table.ts';
import { simulate } from './fixture/history.ts';
import { simulateRank } from './fixture/rank.ts';

const { rank } = simulateRank(simulate({ seed: 5, commits: 30 }));
const all = new Map(scoreTable(rank).map((r) => [r.server, r]));

describe('scores of a run', () => {
  it('are of every server', () => {
    expect([...all.keys()]).toEqual(serversOf(rank));
    expect([...all.values()].some((r) => r.count === 6)).toBe(true);
    expect([...all.values()].find((r) => r.count < 6)!.by.some((b) => b.score === null)).toBe(true); // who failed under stress
  });

  it('stay what they are whoever is shown, in whatever order, and whoever comes', () => {
    fc.assert(fc.property(fc.subarray(serversOf(rank)), fc.integer({ min: 0, max: 1e9 }), fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (chosen, turn, size) => {
      const newcomer = (columns: string[]): RankRow => ({ target: 'zig-slow', language: 'zig', framework: 'none', versions: null, status: 'ok', why: null, cells: columns.map(() => [size, size / 2, size * 2]) });
      const shuffled: Rank = { ...rank, tables: rank.tables.map((t) => ({ ...t, rows: rotated([...t.rows, newcomer(rank.columns)], turn) })) };
      for (const row of scoreTable(shuffled, chosen)) expect(row).toEqual(all.get(row.server));
      expect(scoreTable(shuffled, chosen).map((r) => r.server).sort()).toEqual([...chosen].sort());
    }), { numRuns: 50 });
  });

  it('are told to one digit, or as without a figure', () => {
    expect([scoreText(50), scoreText(0), scoreText(null), scoreText(null, 'failed')]).toEqual(['50.0', '0.0', 'not measured', 'failed']);
    expect(all.get('rust-actix')!.by.flatMap((b, i) => (b.score === null ? all.get('rust-actix')!.absent[i] : []))).toEqual(['failed', 'failed', 'failed', 'failed']);
  });

  it('are told in a sentence, best first, and apart where an axis is missing', () => {
    const said = answer([...all.values()]);
    const whole = [...all.values()].filter((r) => r.count === 6).sort((a, b) => b.mean! - a.mean!);
    expect(said).toContain(`Means of all 6 axes: ${whole.map((r) => `${r.server} ${r.mean!.toFixed(1)}`).join(', ')}; rust-actix ${all.get('rust-actix')!.mean!.toFixed(1)} (of 2 axes only).`);
    expect(answer([])).toContain('No server');
  });
});

describe('a radar', () => {
  it('is broken where an axis was not run', () => {
    const edges = (scores: (number | null)[]) => outlineOf(scores).split('M').length - 1;
    expect([edges([1, 2, 3, 4]), edges([1, null, 3, 4]), edges([null, null, null, null])]).toEqual([4, 2, 0]);
  });
});

const rotated = <T,>(rows: T[], by: number): T[] => rows.map((_, i) => rows[(i + by) % rows.length]!);
