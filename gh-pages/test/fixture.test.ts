// The simulation must be possible in reality. Otherwise pictures and tests show impossible
// states.
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { cellOf } from '../src/data/leaderboard.ts';
import type { Rec } from '../src/data/types.ts';
import { readRun } from '../src/data/run.ts';
import { fixture } from './fixture/files.ts';
import { withPages } from './fixture/pages.ts';

const f = withPages(fixture({ seed: 7, commits: 120, raw: 3 }));
const records = (path: string): Rec[] =>
  readRun(gunzipSync(f.files.get(path) as Uint8Array).toString()).records;
const leaderboard = records(`runs/${f.leaderboard.run}.leaderboard.jsonl.gz`),
  trend_runs = f.history.run.slice(-3).flatMap((run) => records(`runs/${run}.jsonl.gz`));
const known = (r: Rec, ...names: string[]) =>
  names.map((name) => r.metrics[name]).filter((v) => typeof v === 'number');

it('no server is quicker than direct in the same minutes', () => {
  let seen = 0;
  for (const r of [...leaderboard, ...trend_runs]) {
    const direct = leaderboard.find(
      (x) =>
        x !== r && x.server.name === 'direct' && x.scenario === r.scenario && x.round === r.round,
    );
    if (r.server.name === 'direct' || !direct) continue;
    for (const share of known(r, 'rate_x_direct')) {
      seen++;
      expect(share).toBeLessThan(1);
    }
    for (const added of known(r, 'stream_p95_overhead_ms', 'ttft_p95_overhead_ms'))
      expect(added).toBeGreaterThan(0);
    if (leaderboard.includes(r))
      for (const name of ['stream_mean_ms', 'ttft_p50_ms'])
        for (const v of known(r, name)) expect(v).toBeGreaterThanOrEqual(direct.metrics[name]!);
  }
  expect(seen).toBeGreaterThan(100);
  for (const name of Object.keys(f.manifest.series).filter((s) => s.endsWith('/rate_x_direct'))) {
    for (const server of f.history.points.get(name)!)
      for (const p of server) for (const v of p.rounds) expect(v).toBeLessThan(1);
  }
});

it('percentiles are in order, and no mean of memory is above its peak', () => {
  for (const r of [...leaderboard, ...trend_runs]) {
    for (const names of [
      ['stream_p50_ms', 'stream_p95_ms', 'stream_p99_ms', 'stream_max_ms'],
      ['ttft_p50_ms', 'ttft_p95_ms'],
      ['server_rss_mean_bytes', 'server_rss_peak_bytes'],
    ]) {
      const values = known(r, ...names);
      expect(values).toEqual(values.toSorted((a, b) => a! - b!));
    }
  }
});

it('the order of servers is one on all pages', () => {
  const newest = f.history.points.get('stress-200/rate_per_s')!;
  const last = (server: string) =>
    newest[f.history.servers.findIndex((s) => s.name === server)]!.findLast(
      (p) => p.rounds.length > 0,
    )!.rounds[1]!;
  const { ranked } = f.leaderboard.rankings.find((r) => r.metric === 'rate_per_s')!;
  for (const a of ranked)
    for (const b of ranked)
      if (a.worst + 1 < b.best)
        expect(last(a.server), `${a.server} before ${b.server}`).toBeGreaterThan(last(b.server));
});

it('the figures of a ranking have its order and its ratios', () => {
  for (const { scenario, metric, ranked } of f.leaderboard.rankings) {
    const figure = (server: string) => cellOf(f.leaderboard, scenario, server, metric)![0];
    for (const s of ranked)
      expect(figure(s.server) / figure(ranked[0]!.server), s.server).toBeCloseTo(s.ratio, 6);
  }
});

it('ranks are those of the ratios: less apart than the tie is tied', () => {
  for (const { ranked, apart_pct } of f.leaderboard.rankings) {
    for (const [i, s] of ranked.entries()) {
      const from = (x: { ratio: number }) =>
        Math.abs(Math.log(x.ratio / s.ratio)) > Math.log1p(apart_pct! / 100);
      expect([s.best, s.worst], s.server).toEqual([
        1 + ranked.slice(0, i).filter(from).length,
        ranked.length - ranked.slice(i + 1).filter(from).length,
      ]);
    }
  }
});

it('a server that exited is not drawn afterwards', () => {
  const of = f.details.k6_runs
    .filter((l) => l.scenario === 'stress')
    .flatMap((l) => l.timelines.filter((t) => t.process === 'rust-actix'));
  expect(of.length).toBeGreaterThan(0);
  for (const t of of) expect(t.cpu_pct.length).toBeLessThanOrEqual(2);
  expect(
    f.details.distributions.filter(
      (d) => d.target === 'rust-actix' && d.scenario.startsWith('stress') && d.curves.stream,
    ),
  ).toEqual([]);
});
