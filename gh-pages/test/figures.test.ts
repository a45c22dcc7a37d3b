import { describe, expect, it } from 'vitest';
import type { Figures, Rec } from '../src/data/types.ts';
import { columnsOf, warnings, tables } from '../src/data/figures.ts';

const rec = (
  target: string,
  scenario: string,
  round: number,
  metrics: Rec['metrics'],
  status: Rec['status'] = 'ok',
  why: string[] = [],
): Rec =>
  ({
    server: { name: target, side: '' },
    scenario,
    round,
    started: '2026-11-21T13:00:00Z',
    status,
    why,
    metrics,
  }) as unknown as Rec;

const records = [
  rec('direct', 'stress-100', 1, { rate_per_s: 4801 }),
  rec('rust-http', 'stress-100', 1, { rate_per_s: 4638 }),
  rec('go-http', 'stress-100', 1, { rate_per_s: null }, 'invalid', [
    'rate x mean is 12.5, in flight 9',
  ]),
  rec('go-http', 'stress-100', 2, { rate_per_s: null }, 'invalid', [
    'rate x mean is 13.5, in flight 8',
  ]),
  rec('go-http', 'baseline', 1, { ttft_p95_ms: 0.4 }, 'warning', ['k6 waited']),
];

const columns = {
  baseline: ['ttft_p95_ms'],
  steady: ['server_cpu_us_per_stream'],
  stress: ['rate_per_s'],
};
// Other than the records': tables show what the file says, and work nothing out.
const figures: Figures = {
  figures: 1,
  metrics: ['rate_per_s'],
  rows: [{ target: 'rust-http', scenario: 'stress-100', cells: [[4600, 4500, 4700, 3]] }],
};

describe('tables of a run', () => {
  it('have direct last, and mark targets with a warning', () => {
    const [stress, baseline] = tables({ records, figures }, columns);
    expect(stress!.rows.map((r) => [r.target, r.warning, r.rounds])).toEqual([
      ['go-http', true, 2],
      ['rust-http', false, 1],
      ['direct', false, 1],
    ]);
    expect(stress!.rows[0]!.figures[0]).toBeNull();
    expect(stress!.rows[1]!.figures[0]).toEqual({ mean: 4600, low: 4500, high: 4700, rounds: 3 });
    expect(baseline!.scenario).toBe('baseline');
  });
  it('have the columns that their scenario asks for', () => {
    expect(columnsOf(columns, 'stress-200')).toEqual(['rate_per_s']);
    expect(columnsOf(columns, 'steady')).toEqual(['server_cpu_us_per_stream']);
    expect(columnsOf(columns, 'unheard-of')).toEqual(['ttft_p95_ms']);
  });
  it('say each reason once, whatever its figures', () => {
    expect(warnings(records)).toEqual([
      {
        status: 'invalid',
        why: 'rate x mean is 12.5, in flight 9',
        targets: ['go-http'],
        of: ['go-http, stress-100, round 1', 'go-http, stress-100, round 2'],
        alike: true,
      },
      {
        status: 'warning',
        why: 'k6 waited',
        targets: ['go-http'],
        of: ['go-http, baseline, round 1'],
        alike: false,
      },
    ]);
  });
});
