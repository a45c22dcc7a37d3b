import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { acrossRuns, keys, known, quantile, sameMinutes } from '../src/compare/cells.ts';
import { differences, underTodaysNames } from '../src/compare/load.ts';
import { clear, markdown, summary, turnShown } from '../src/compare/words.ts';
import type { Overview } from '../src/data/form.ts';
import { unpack, type Rec } from '../src/data/run.ts';
import { fixture } from './fixture/files.ts';
import { Random } from './fixture/random.ts';

const f = fixture({ seed: 7, commits: 120, scenarios: ['stress-100'], raw: 20 });
const records = (at: number): Rec[] => unpack(gunzipSync(f.files.get(`runs/${f.history.run[at]!}.jsonl.gz`) as Uint8Array).toString()).records;
const rate = f.manifest.metrics.find((m) => m.name === 'rate_per_s')!;
const addedMetric = f.manifest.metrics.find((m) => m.name === 'ttft_p95_added_ms')!;
const gin = { server: 'go-gin', scenario: 'stress-100' };
const noise = known(f.json<Overview>(f.manifest.series['stress-100/rate_per_s']!).noise['go-gin'], 1, false);

it('finds a server that was renamed since, and leaves alone one that has its old name now', () => {
  const [first] = records(119) as [Rec];
  const under = (name: string): Rec => ({ ...first, server: { ...first.server, name } });
  const named = (was: [string, string[]][]) => underTodaysNames([under('bun-serve'), under('go-gin')], was.map(([name, old]) => ({ ...f.manifest.servers[0]!, name, was: old }))).map((r) => r.server.name);
  expect(named([['bun-http', ['bun-serve']], ['go-gin', []]])).toEqual(['bun-http', 'go-gin']);
  expect(named([['bun-http', ['bun-serve', 'go-gin']], ['go-gin', []]])).toEqual(['bun-http', 'go-gin']);
});

describe('two runs', () => {
  const a = records(106), b = records(107); // a step of 6 % down
  it('differ by the medians of their rounds, and by what runs vary by', () => {
    const c = acrossRuns(a, b, gin, rate, noise);
    const points = f.history.points.get('stress-100/rate_per_s')![3]!;
    const change = points[107]!.rounds[1]! / points[106]!.rounds[1]! - 1;
    expect(c.change).toBeCloseTo(change, 3); // four digits are kept
    expect(Math.log1p(c.high!) - Math.log1p(c.low!)).toBeCloseTo(2 * Math.SQRT2 * Math.log1p(noise!.size / 100), 9);
    expect([c.turn, clear(c)]).toEqual(['worse', true]);
    expect(c.factor).toBeGreaterThan(1);
    expect(acrossRuns(b, a, gin, rate, noise)).toMatchObject({ turn: 'better' });
  });
  it('are not judged when nothing is known of noise, and have no change when one is unknown', () => {
    expect(acrossRuns(a, b, gin, rate, null)).toMatchObject({ low: null, turn: 'unclear', factor: null });
    expect(acrossRuns(a, [], gin, rate, noise)).toMatchObject({ change: null, b: null, turn: 'worse', lost: 'it is not in that run' });
    expect(acrossRuns([], b, gin, rate, noise)).toMatchObject({ change: null, a: null, turn: 'unclear', lost: null });
    expect(known([[0, 2, 9]], 1, false)).toBeNull();
    expect([acrossRuns(a, b, gin, rate, { size: 0, absolute: false }), acrossRuns(a, b, gin, addedMetric, { size: 0, absolute: true })].map((c) => c.factor)).toEqual([null, null]);
  });
  it('say who has lost its figures, and why', () => {
    const died = b.map((r): Rec => (r.server.name === 'go-gin' ? { ...r, status: 'invalid', why: ['it exited with 137 after 2 s'], metrics: {} } : r));
    const failing = b.map((r): Rec => (r.server.name === 'go-gin' ? { ...r, why: [], metrics: { ...r.metrics, failed_pct: 1.5 } } : r));
    const c = acrossRuns(a, died, gin, rate, noise);
    expect([c.lost, clear(c), turnShown(c)]).toEqual(['it exited with 137 after 2 s', true, '▼ no figures: it exited with 137 after 2 s']);
    expect(summary([c, acrossRuns(a, b, { ...gin, server: 'go-http' }, rate, noise)], 'A', 'B')).toMatch(/^go-gin has no figures in B: it exited with 137 after 2 s\. Of 2 cells, B is worse than A in 1, /);
    expect(acrossRuns(a, failing, gin, rate, noise).lost).toBe('1.50 % of its streams failed');
  });
  it('differ by units where a value is a difference already', () => {
    const c = acrossRuns(a, b, gin, addedMetric, { size: 0.5, absolute: true });
    expect(c.change).toBeCloseTo(c.b!.median - c.a!.median, 12);
    expect(c.high! - c.low!).toBeCloseTo(2 * Math.SQRT2 * 0.5, 12);
  });
  it('of the same code are inside the interval 95 times in 100', () => {
    const r = new Random(11);
    const sd = 0.01;
    const of = (v: number): Rec[] => a.filter((x) => x.server.name === 'go-gin').slice(0, 1).map((x) => ({ ...x, metrics: { failed_pct: 0, rate_per_s: v } }));
    let outside = 0;
    for (let i = 0; i < 4000; i++) outside += clear(acrossRuns(of(1000 * Math.exp(sd * r.normal())), of(1000 * Math.exp(sd * r.normal())), gin, rate, { size: 100 * Math.expm1(1.96 * sd), absolute: false })) ? 1 : 0;
    expect(outside / 4000).toBeGreaterThan(0.04);
    expect(outside / 4000).toBeLessThan(0.06);
  });
  it('name what else is not the same', () => {
    const other = b.map((x) => ({ ...x, host: { ...x.host, kernel: '6.2' }, tools: { k6: 'v3' } }));
    expect(differences(a, b)).toEqual([]);
    expect(differences(a, other)).toEqual(['system: Debian 12, kernel 6.1.0 → Debian 12, kernel 6.2', 'k6: v2.0.0 → v3']);
  });
  it('become a table for a pull request', () => {
    const cells = keys([...a, ...b]).map((k) => acrossRuns(a, b, k, rate, noise));
    const text = markdown(cells, cells.filter(clear), 'aaaaaaaaaa', 'bbbbbbbbbb', 'https://example.org/compare/', ['cpu: @octocat [x](https://example.org) → other']);
    expect(text).toContain('cpu: @\u200boctocat \\[x\\]\\(https');
    expect(text).toContain(`Of ${cells.filter((c) => c.change !== null).length} cells`); // all of them, whatever is shown
    expect(text.split('\n').filter((l) => l.startsWith('| go-gin |'))).toHaveLength(1);
    expect(text).toContain('▼ worse');
    const neither = { ...cells[0]!, metric: { ...rate, better: '' as const }, change: 0.1, low: 0.05, high: 0.15, turn: 'unclear' as const };
    expect(summary([neither], 'a', 'b')).toContain('worse than a in 0, better in 0, and otherwise changed in 1; in 0 there is no evidence');
    expect(summary(cells, 'a', 'b')).toContain('Farthest out: go-gin, stress-100, req/s: −');
  });
});

describe('two servers of the same minutes', () => {
  const of = (name: string, values: (number | null)[], failed = 0): Rec[] => values.map((v, i) => ({ ...records(119)[0]!, server: { ...records(119)[0]!.server, name }, scenario: 's', round: i + 1, metrics: { failed_pct: failed, rate_per_s: v } }));
  it("are paired by round, with Student's t", () => {
    const c = sameMinutes([...of('a', [100, 200, 400]), ...of('b', [110, 222, 436])], 'a', 'b', 's', rate);
    const d = [1.1, 1.11, 1.09].map(Math.log), mean = (d[0]! + d[1]! + d[2]!) / 3;
    const half = (4.303 * Math.sqrt(d.reduce((s, x) => s + (x - mean) ** 2, 0) / 2)) / Math.sqrt(3);
    expect(c.change).toBeCloseTo(Math.expm1(mean), 9);
    expect([c.low, c.high]).toEqual([expect.closeTo(Math.expm1(mean - half), 9), expect.closeTo(Math.expm1(mean + half), 9)]);
    expect(c.turn).toBe('better');
  });
  it('are not judged by one round, nor by rounds that failed', () => {
    expect(sameMinutes([...of('a', [100]), ...of('b', [110])], 'a', 'b', 's', rate)).toMatchObject({ low: null, turn: 'unclear' });
    expect(sameMinutes([...of('a', [100, 100]), ...of('b', [110, 110], 1)], 'a', 'b', 's', rate)).toMatchObject({ change: null });
  });
  it('has the quantiles of the tables', () => expect([1, 2, 10, 30, 99].map(quantile)).toEqual([12.706, 4.303, 2.228, 2.042, 2.042]));
});
