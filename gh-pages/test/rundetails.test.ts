import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { linear, logarithmic } from '../src/chart/ticks.ts';
import { says as distributionSays, rowsOf } from '../src/run/distributions.tsx';
import { conditions, facts, together } from '../src/run/facts.ts';
import { says, summed } from '../src/run/timelines.tsx';
import { readRun } from '../src/data/run.ts';
import type { Details, Timeline } from '../src/data/types.ts';

const line: Timeline = {
  process: 'go-http',
  first: 2,
  cpu_pct: [10, null, 30],
  rss_kib: [1000, null, 3000],
};

describe('timelines', () => {
  it('say their mean and their greatest value', () => {
    expect(summed(line.cpu_pct)).toEqual({ mean: 20, most: 30, least: 10 });
    expect(summed([null])).toBeNull();
    expect(says(line)).toBe(
      'CPU 20 % of one core on average, 30 % at most; memory 1.02 to 3.07 MB.',
    );
    expect(says({ ...line, cpu_pct: [null] })).toBe('not sampled');
  });
});

describe('distributions', () => {
  const curve = [400, 1000, 900, 1500, 10];
  const of = (target: string, scenario: string, curves: Record<string, number[] | null>) => ({
    target,
    scenario,
    curves,
  });
  const details = {
    schema: 3,
    workload: 'relay',
    k6_runs: [],
    distributions: [
      of('direct', 'steady', { stream: curve }),
      of('nginx', 'steady', { stream: curve }),
      of('rust-http', 'steady', { stream: curve, ttft: curve }),
      of('go-http', 'steady', { stream: curve, ttft: null }),
    ],
  } as unknown as Details;
  const looks = (target: string) =>
    target.endsWith('-http') ? { hue: 'go', dash: '' } : undefined;
  it('are of those that counted something, references last', () => {
    expect(rowsOf(details, 'steady', 'stream', looks).map((r) => r.target)).toEqual([
      'go-http',
      'rust-http',
      'direct',
      'nginx',
    ]);
    expect(rowsOf(details, 'steady', 'ttft', looks).map((r) => r.target)).toEqual(['rust-http']);
    expect(distributionSays([])).toBe('Nothing was counted.');
  });
});

describe('facts of a run', () => {
  const { records } = readRun(
    readFileSync(
      new URL('../../scripts/internal/judge/record/testdata/mixed.jsonl', import.meta.url),
      'utf8',
    ),
  );
  it('stand once, however many records share them', () => {
    const of = new Map(facts(records));
    expect(of.get('machine')).toBe('Intel(R) Xeon(R) Processor, 2 cores, 24 GiB');
    expect(of.get('tools')).toBe('go 1.26.8, k6 1.8.1, sysstat 12.6.1');
    expect(
      new Map(facts([records[0]!, { ...records[1]!, run: { ...records[1]!.run, seed: 2 } }])).get(
        'seed of the order of slices',
      ),
    ).toBe('5; 2');
  });
  it('say whether servers may be compared', () => {
    expect(together(records)).toContain('in the same minutes');
    expect(together(records.map((r) => ({ ...r, run: { ...r.run, solo: true } })))).toContain(
      'minutes apart',
    );
    expect(together(records.map((r) => ({ ...r, started: r.server.name })))).toContain(
      'minutes apart',
    ); // a job each
    expect(together(records.filter((r) => r.server.name === 'go-http'))).toContain('One server');
  });
  it('say what the machine was like', () => {
    expect(conditions(records)).toBe(
      'steal 0 %, other programs 9.2 to 21.3 % of the machine, load average before 2.2 to 2.4',
    );
    expect(
      conditions([
        {
          ...records[0]!,
          conditions: { load_before: null, steal_pct: 0, others_pct: 3.14, disturbed: null },
        },
      ]),
    ).toContain('load average before unknown');
  });
});

describe('ticks', () => {
  it('are round and inside', () => {
    expect(linear(0, 98, 5)).toEqual([0, 20, 40, 60, 80]);
    expect(linear(0.31, 0.52, 4)).toEqual([0.35, 0.4, 0.45, 0.5]);
    expect(logarithmic(0.8, 30)).toEqual([1, 2, 5, 10, 20]);
    expect(logarithmic(0.9, 2000)).toEqual([1, 10, 100, 1000]);
    expect(logarithmic(21, 49)).toEqual([25, 30, 35, 40, 45]);
  });
});
