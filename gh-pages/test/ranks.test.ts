import { describe, expect, it } from 'vitest';
import { place, sentence, tie, times, type Ranking } from '../src/words/ranks';

const of = (server: string, best: number, worst: number, ratio = 1, suspect = false) => ({ server, best, worst, ratio, low: ratio - 0.02, high: ratio + 0.02, suspect });
const ranking = (over: Partial<Ranking> = {}): Ranking => ({
  scenario: 'stress-200', metric: 'rate_per_s', rounds: 3, apart_pct: 2.14, why: '', left: [],
  ranked: [of('bun-http', 1, 2), of('bun-hono', 1, 3, 0.98), of('go-fiber', 2, 3, 0.97), of('rust-http', 4, 4, 0.89)], ...over,
});
const figure = (server: string) => ({ 'bun-http': '8473', 'rust-http': '7578' })[server] ?? '?';

describe('ranks', () => {
  it('are ranges where servers are tied', () => {
    expect(['bun-http', 'bun-hono', 'rust-http', 'direct'].map((s) => place(ranking(), s))).toEqual(['1-2', '1-3', '4', '-']);
    expect(place(ranking({ rounds: 1 }), 'bun-http')).toBe('?');
  });
  it('say the multiple of the first with its interval, the first without', () => {
    expect(times(ranking(), 'bun-http')).toEqual({ text: '1.00', spread: '' });
    expect(times(ranking(), 'go-fiber')).toEqual({ text: '0.97', spread: '0.95 to 0.99' });
    expect(times(ranking(), 'nobody')).toEqual({ text: '-', spread: '' });
  });
  it('make the sentence of the report', () => {
    expect(sentence(ranking(), figure)).toBe('In stress-200 bun-http serves the most streams per second (8473), tied with bun-hono; rust-http the fewest (7578, x0.89).');
    expect(sentence(ranking({ left: ['go-gin'] }), figure)).toContain('; without a rank, since streams failed or rounds are missing: go-gin.');
    expect(sentence(ranking({ rounds: 1, apart_pct: null }), figure)).toMatch(/^In stress-200, in the one round, bun-http served/);
    expect(sentence(ranking({ ranked: [of('a', 1, 2), of('b', 1, 2)] }), figure)).toBe('In stress-200 no server is told apart from a, which serves the most (?).');
    expect(sentence(ranking({ why: 'fewer than two servers' }), figure)).toBe('Throughput is not ranked: fewer than two servers.');
    expect(sentence(ranking({ ranked: [] }), figure)).toBe('Throughput is not ranked: no server was loaded.');
  });
  it('name the difference below which there is a tie', () => {
    expect(tie(ranking())).toBe('Less than 2.1 % apart is a tie; the rank is then a range.');
    expect(tie(ranking({ rounds: 1 }))).toMatch(/^One round/);
  });
});
