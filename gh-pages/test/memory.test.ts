import { describe, expect, it } from 'vitest';
import type { Rec } from '../src/data/run.ts';
import { growth, held, perStream, scenariosOf } from '../src/memory/memory.ts';

const GIB = 2 ** 30;
const rec = (target: string, scenario: string, round: number, peak: number | null, more: Rec['metrics'] = {}): Rec =>
  ({ server: { name: target, side: '' }, scenario, round, status: peak === null ? 'invalid' : 'ok', why: [], host: { memory_bytes: 16 * GIB }, metrics: { server_rss_peak_bytes: peak, ...more } }) as unknown as Rec;

const records = [
  rec('direct', 'stress-10', 1, null),
  ...[1, 2, 3].flatMap((round) => [
    rec('go-http', 'stress-10', round, 10e6), rec('go-http', 'stress-200', round, 29e6 + round * 1e6), rec('rust-http', 'stress-10', round, 4e6), rec('rust-http', 'stress-200', round, 10e6 + 1e6 * (round - 2)),
    rec('bun-http', 'stress-200', round, null),
  ]),
];

describe('memory', () => {
  it('is a median with its share of all and of the machine', () => {
    const rows = held(records, 'stress-200');
    expect(rows.map((r) => r.server)).toEqual(['bun-http', 'go-http', 'rust-http']);
    expect(rows[1]).toMatchObject({ peak: { mid: 31e6, low: 30e6, high: 32e6 }, doubtful: false });
    expect(rows[1]!.share).toBeCloseTo(31 / 41);
    expect(rows[1]!.ofMachine).toBeCloseTo(31e6 / (16 * GIB));
    expect(rows[0]).toMatchObject({ peak: null, share: null, ofMachine: null, doubtful: true }); // not known, and not 0
  });
  it('of a further stream is taken round by round', () => {
    const further = perStream(records)!;
    expect([further.from, further.to]).toEqual(['stress-10', 'stress-200']);
    expect(further.bytes.get('rust-http')!.mid).toBeCloseTo(6e6 / 190);
    expect(further.bytes.get('bun-http')).toBeNull();
    expect(perStream(records.filter((r) => r.scenario === 'stress-10'))).toBeNull();
  });
  it('grows where a long load says so', () => {
    const slope = { server_rss_slope_bytes_per_stream: 12, server_rss_slope_low_bytes_per_stream: 3, server_rss_slope_high_bytes_per_stream: 21 };
    expect(growth([rec('go-http', 'soak', 1, 1e6, slope)], 'go-http')).toEqual({ bytes: 12, low: 3, high: 21 });
    expect(growth(records, 'go-http')).toBeNull();
  });
  it('is known in the scenarios where somebody has some', () => {
    expect(scenariosOf(records)).toEqual(['stress-10', 'stress-200']);
  });
});
