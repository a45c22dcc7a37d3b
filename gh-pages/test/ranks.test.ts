import { describe, expect, it } from 'vitest';
import type { Leaderboard, Ranking } from '../src/data/types.ts';
import { cellOf, serversOf, spreadWords } from '../src/data/leaderboard.ts';
import { place, placeSpoken, standing, times } from '../src/words/ranks.ts';

const of = (server: string, best: number, worst: number, ratio = 1) => ({
  server,
  best,
  worst,
  ratio,
  low: ratio - 0.02,
  high: ratio + 0.02,
});
const ranking = (over: Partial<Ranking> = {}): Ranking => ({
  scenario: 'stress-200',
  metric: 'rate_per_s',
  rounds: 3,
  apart_pct: 2.14,
  why: '',
  tie: '',
  sentence: '',
  unranked: [],
  ranked: [
    of('bun-http', 1, 2),
    of('bun-hono', 1, 3, 0.98),
    of('go-fiber', 2, 3, 0.97),
    of('rust-http', 4, 4, 0.89),
  ],
  ...over,
});
const one = ranking({ rounds: 1, apart_pct: null, ranked: [of('bun-http', 0, 0)] });

describe('ranks', () => {
  it('are ranges where servers are tied', () => {
    expect(['bun-http', 'bun-hono', 'rust-http', 'direct'].map((s) => place(ranking(), s))).toEqual(
      ['1-2', '1-3', '4', '-'],
    );
    expect(place(one, 'bun-http')).toBe('?');
  });
  it('are spoken with how many there are', () => {
    expect(['bun-hono', 'rust-http', 'direct'].map((s) => placeSpoken(ranking(), s))).toEqual([
      'rank 1 to 3 of 4, tied',
      'rank 4 of 4',
      'no rank',
    ]);
    expect(placeSpoken(one, 'bun-http')).toBe('rank unknown, too few rounds');
  });
  it('say the multiple of the first with its interval, the first without', () => {
    expect(times(ranking(), 'bun-http')).toEqual({ text: '1.00', spread: '' });
    expect(times(ranking(), 'go-fiber')).toEqual({ text: '0.97', spread: '0.95 to 0.99' });
    expect(times(ranking(), 'nobody')).toEqual({ text: '-', spread: '' });
  });
  it('say in one sentence who is first, and how sure that is', () => {
    const ahead = { ...ranking().ranked[0]!, worst: 1 };
    const behind = { ...ranking().ranked[3]!, best: 2, worst: 2 };
    const tied = ranking().ranked.map((r) => ({ ...r, best: 1, worst: 4 }));
    expect(
      [
        ranking(),
        ranking({ ranked: [ahead, behind] }),
        ranking({ ranked: [ahead] }),
        ranking({ ranked: tied }),
        one,
        ranking({ ranked: [] }),
      ].map((r) => standing(r, 'Fastest')),
    ).toEqual([
      'Fastest in stress-200: bun-http and bun-hono, which are tied.',
      'Fastest in stress-200: bun-http. Next is rust-http with 0.89 times as much (0.87 to 0.91).',
      'Fastest in stress-200: bun-http.',
      'Fastest in stress-200: all servers are tied.',
      'Fastest in stress-200: bun-http, in too few rounds for ranks.',
      '',
    ]);
  });
});

describe('a rank', () => {
  const row = (target: string, cells: [number, number, number][]) => ({
    target,
    language: '',
    framework: '',
    versions: null,
    status: 'ok' as const,
    why: null,
    cells,
  });
  const leaderboard = {
    columns: ['rate_per_s'],
    rounds: 3,
    tables: [
      { scenario: 'steady', rows: [row('go-http', [[2, 1, 3]]), row('direct', [[4, 4, 4]])] },
    ],
  } as unknown as Leaderboard;
  it('has cells by name', () => {
    expect(cellOf(leaderboard, 'steady', 'go-http', 'rate_per_s')).toEqual([2, 1, 3]);
    expect([
      cellOf(leaderboard, 'soak', 'go-http', 'rate_per_s'),
      cellOf(leaderboard, 'steady', 'x', 'rate_per_s'),
      cellOf(leaderboard, 'steady', 'go-http', 'x'),
    ]).toEqual([undefined, undefined, undefined]);
    expect(serversOf(leaderboard)).toEqual(['go-http']);
  });
  it('says what stands beside its figures', () => {
    expect(spreadWords(leaderboard)).toContain('3 rounds, with the least and the greatest round');
    expect(spreadWords({ rounds: 1 })).toMatch(/one round/);
  });
});
