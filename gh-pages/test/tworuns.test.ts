import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compared, keys, noiseOf } from '../src/tworuns/cells.ts';
import { differences, underTodaysNames } from '../src/tworuns/load.ts';
import { changeWords, noiseWords, summary } from '../src/tworuns/words.ts';
import type { Series } from '../src/data/form.ts';
import type { Rec } from '../src/data/types.ts';
import { readRun, type Run, type ReadRun } from '../src/data/run.ts';
import { fixture } from './fixture/files.ts';
import { mean } from './fixture/history.ts';

const f = fixture({ seed: 7, commits: 120, scenarios: ['stress-100'], raw: 20 });
const run = (at: number): ReadRun =>
  readRun(gunzipSync(f.files.get(`runs/${f.history.run[at]!}.jsonl.gz`) as Uint8Array).toString());
const nothing: Run = { records: [], figures: { figures: 1, metrics: [], rows: [] } };
const rate = f.manifest.metrics.find((m) => m.name === 'rate_per_s')!;
const overheadMetric = f.manifest.metrics.find((m) => m.name === 'ttft_p95_overhead_ms')!;
const gin = { server: 'go-gin', scenario: 'stress-100' };
const shipped = f.json<Series>(f.manifest.series['stress-100/rate_per_s']!).noise['go-gin']!;
const noise = noiseOf(shipped, 1, rate);

it('finds a server that was renamed since, and leaves alone one that has its old name now', () => {
  const [first] = run(119).records as [Rec];
  const under = (name: string): Rec => ({ ...first, server: { ...first.server, name } });
  const cells = (target: string) => ({ target, scenario: 'steady', cells: [] });
  const both: ReadRun = {
    broken: [],
    records: [under('bun-serve'), under('go-gin')],
    figures: { figures: 1, metrics: [], rows: [cells('bun-serve'), cells('go-gin')] },
  };
  const named = (was: [string, string[]][]) => {
    const { records, figures } = underTodaysNames(
      both,
      was.map(([name, old]) => ({ ...f.manifest.servers[0]!, name, was: old })),
    );
    expect(figures.rows.map((r) => r.target)).toEqual(records.map((r) => r.server.name));
    return records.map((r) => r.server.name);
  };
  expect(
    named([
      ['bun-http', ['bun-serve']],
      ['go-gin', []],
    ]),
  ).toEqual(['bun-http', 'go-gin']);
  expect(
    named([
      ['bun-http', ['bun-serve', 'go-gin']],
      ['go-gin', []],
    ]),
  ).toEqual(['bun-http', 'go-gin']);
});

describe('two runs', () => {
  const a = run(106),
    b = run(107); // a step of 6 % down
  it('differ by the means of their rounds, and the noise is what the files have', () => {
    const c = compared(a, b, gin, rate, noise);
    const points = f.history.points.get('stress-100/rate_per_s')![3]!;
    // four digits are kept
    expect(c.change).toBeCloseTo(mean(points[107]!.rounds) / mean(points[106]!.rounds) - 1, 3);
    const size = shipped.find(([epoch]) => epoch === 1)![1];
    expect(c.noise).toBe(size / 100);
    expect([changeWords(c), noiseWords(c)]).toEqual([
      expect.stringMatching(/^\u22128\.\d/),
      `±${size.toFixed(1)}\u202f%`,
    ]);
  });
  it('have no noise where none is known, and no difference when one figure is unknown', () => {
    expect(noiseWords(compared(a, b, gin, rate, null))).toBe('unknown');
    expect(compared(a, nothing, gin, rate, noise)).toMatchObject({
      change: null,
      b: null,
      lost: 'it is not in that run',
    });
    expect(compared(nothing, b, gin, rate, noise)).toMatchObject({
      change: null,
      a: null,
      lost: null,
    });
    expect([
      noiseOf([[0, 2, 9]], 1, rate),
      noiseOf(undefined, 1, rate),
      noiseOf([[1, 2, 9]], 1, overheadMetric),
    ]).toEqual([null, null, 2]);
  });
  it('say who has lost its figures, and why', () => {
    const lost = (change: (r: Rec) => Partial<Rec>): Run => ({
      records: b.records.map((r): Rec => (r.server.name === 'go-gin' ? { ...r, ...change(r) } : r)),
      figures: { ...b.figures, rows: b.figures.rows.filter((r) => r.target !== 'go-gin') },
    });
    const died = lost(() => ({
      status: 'invalid',
      why: ['it exited with 137 after 2 s'],
      metrics: {},
    }));
    const failing = lost((r) => ({ why: [], metrics: { ...r.metrics, failed_pct: 1.5 } }));
    const c = compared(a, died, gin, rate, noise);
    expect([c.lost, changeWords(c)]).toEqual([
      'it exited with 137 after 2 s',
      'no figures: it exited with 137 after 2 s',
    ]);
    expect(
      summary([c, compared(a, b, { ...gin, server: 'go-http' }, rate, noise)], 'A', 'B'),
    ).toMatch(
      /^go-gin has no figures in B: it exited with 137 after 2 s\. 1 cell has a figure in both A and B\. /,
    );
    expect(compared(a, failing, gin, rate, noise).lost).toBe('1.50 % of its streams failed');
  });
  it('differ by units where a value is a difference already, as fine as its noise', () => {
    const c = compared(a, b, gin, overheadMetric, 0.5);
    expect(c.change).toBeCloseTo(c.b!.mean - c.a!.mean, 12);
    const at = { ...c, change: 0.1234 };
    expect([changeWords(at), noiseWords(at)]).toEqual(['+0.12\u202fms', '±0.50\u202fms']);
  });
  it('name what else is not the same', () => {
    const other = b.records.map((x) => ({
      ...x,
      host: { ...x.host, kernel: '6.2' },
      tools: { k6: 'v3' },
    }));
    expect(differences(a.records, b.records)).toEqual([]);
    expect(differences(a.records, other)).toEqual([
      'system: Debian 12, kernel 6.1.0 → Debian 12, kernel 6.2',
      'k6: v2.0.0 → v3',
    ]);
  });
  it('are a sentence, which judges nothing', () => {
    const cells = keys([...a.records, ...b.records]).map((k) =>
      compared(a, b, k, rate, k.server === 'go-gin' ? null : noise),
    );
    const text = summary(cells, 'aaaaaaaaaa', 'bbbbbbbbbb');
    const known = cells.filter((c) => c.change !== null).length;
    expect(text).toContain(
      `${known} cells have a figure in both aaaaaaaaaa and bbbbbbbbbb. The noise of 1 cell is unknown.`,
    );
    expect(text).not.toMatch(/worse|better|▼|▲/);
  });
});
