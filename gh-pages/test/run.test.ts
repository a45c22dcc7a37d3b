import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Shard } from '../src/data/form.ts';
import { point, unpack } from '../src/data/run.ts';
import { fixture } from './fixture/files.ts';

const f = fixture({ seed: 5, commits: 80, scenarios: ['stress-100'], raw: 2 });
const text = gunzipSync(
  f.files.get(`runs/${f.history.run[78]!}.jsonl.gz`) as Uint8Array,
).toString();

describe('a run', () => {
  it('gives the same points as the trend', () => {
    const { records, broken } = unpack(text);
    expect(broken).toEqual([]);
    const shard = f.json<Shard>(
      [...f.files.keys()].find((k) => k.startsWith('data/s/stress-100/rate_per_s/'))!,
    );
    for (const server of f.manifest.servers) {
      const p = point(
        records.filter((r) => r.server.name === server.name && r.scenario === 'stress-100'),
        'rate_per_s',
      );
      const m = shard.servers[server.name]?.m[78] ?? null;
      if (m === null) expect(p).toBeNull();
      else
        expect(Math.abs(p!.median - m * shard.quantum)).toBeLessThanOrEqual(
          0.0006 * p!.median + shard.quantum,
        ); // four digits are kept
    }
  });
  it('names a line that cannot be read, and keeps the rest', () => {
    const lines = text.trimEnd().split('\n');
    const got = unpack(
      [lines[0]!, lines[1]!.slice(0, 100), lines[2]!.replace('"schema":6', '"schema":7'), ''].join(
        '\n',
      ),
    );
    expect(got.records.length).toBe(3);
    expect(got.broken).toHaveLength(2);
    expect(got.broken[0]).toMatch(/^line 2: /);
    expect(got.broken[1]).toBe('line 3: schema 7; this page reads schema 6');
  });
  it('leaves out rounds of which a stream failed, or it is not known', () => {
    const r = unpack(text).records[0]!;
    const having = (failed: number | null, v: number) => ({
      ...r,
      metrics: { failed_pct: failed, x: v },
    });
    expect(
      point([having(0, 1), having(0, 2), having(0, 4), having(0.1, 9), having(null, 9)], 'x'),
    ).toEqual({ median: 2, low: 1, high: 4, rounds: 3 });
    expect(point([having(1, 1)], 'x')).toBeNull();
  });
});
