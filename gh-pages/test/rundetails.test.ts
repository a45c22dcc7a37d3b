import { describe, expect, it } from 'vitest';
import { linear, logarithmic } from '../src/chart/ticks.ts';
import { says as distributionSays, rowsOf } from '../src/run/distributions.tsx';
import { conditions, facts, together } from '../src/run/facts.ts';
import { stateAt } from '../src/run/seconds.tsx';
import { stretches } from '../src/run/states.tsx';
import { at } from '../src/data/details.ts';
import { says, summed } from '../src/run/timelines.tsx';
import { ratesOf, says as ratesSay } from '../src/run/slicerates.tsx';
import { readRun } from '../src/data/run.ts';
import type { K6Run, Timeline } from '../src/data/types.ts';
import { simulateDetails } from './fixture/details.ts';
import { simulate } from './fixture/history.ts';
import { simulateRank } from './fixture/leaderboard.ts';

const k6Run: K6Run = {
  scenario: 'stress',
  round: 1,
  target: '',
  levels: ['warm-up', '10', '100'],
  targets: ['direct', 'go-http'],
  slices: [
    [0, 0, 1000, 1, 4000],
    [1, 0, 500, 1, 480],
    [1, 5, 500, 1, 240],
    [1, 95, 500, 0, 486],
    [2, 400, 1000, 0, 4800, 1, 4700],
  ],
  timelines: [],
};
const line: Timeline = {
  process: 'go-http',
  first: 2,
  cpu_pct: [10, null, 30],
  rss_kib: [1000, null, 3000],
};

describe('timelines', () => {
  it('have a value a second, and none where no sample is', () => {
    expect([1, 2, 3, 4, 5].map((s) => at(line, line.cpu_pct, s))).toEqual([
      null,
      10,
      null,
      30,
      null,
    ]);
    expect(summed(line.cpu_pct)).toEqual({ mean: 20, most: 30, least: 10 });
    expect(summed([null])).toBeNull();
    expect(says(line)).toBe(
      'CPU 20 % of one core on average, 30 % at most; memory 1.02 to 3.07 MB.',
    );
    expect(says({ ...line, cpu_pct: [null] })).toBe('not sampled');
  });
  it('say what went on in a second', () => {
    expect(stateAt(k6Run, 1)).toBe('warm-up, the slice of go-http');
    expect(stateAt(k6Run, 3)).toBe('stress-10, the slices of go-http, direct');
    expect(stateAt(k6Run, 4)).toBe('stress-100, all targets');
    expect(stateAt(k6Run, 9)).toBe('no target was loaded');
    const levels = ['warm-up', 'steady', 'stress-100'];
    expect(stateAt({ ...k6Run, scenario: 'ranking', levels }, 3)).toMatch(/^steady, /);
    expect(stateAt({ ...k6Run, scenario: 'soak', levels: ['warm-up', '', ''] }, 3)).toMatch(
      /^soak, /,
    );
  });
  it('show who was loaded when, neighbours as one', () => {
    expect(stretches(k6Run, 'go-http')).toEqual([
      { from: 0, to: 1, state: 'warm-up' },
      { from: 1, to: 2.005, state: 'stress-10' },
      { from: 3, to: 4, state: 'stress-100' },
    ]);
  });
});

describe('rates of slices', () => {
  it('begin with their level', () => {
    expect(ratesOf(k6Run, 'stress-10').get('go-http')).toEqual([
      { at: 0, per_s: 480 },
      { at: 1505 / 1000 - 1, per_s: 240 },
    ]);
    expect(ratesSay(ratesOf(k6Run, 'stress-10'))).toBe(
      '1 to 2 slices per target. The slices of go-http differ most: the best had ×2.00 the streams of ' +
        'the worst.',
    );
    expect(ratesSay(new Map())).toBe('No target had a slice.');
  });
});

describe('distributions', () => {
  const details = simulateDetails(['go-http', 'rust-http']);
  it('are of those that counted something, direct last', () => {
    expect(rowsOf(details, 'stress-10', 'ttft').map((r) => r.target)).toEqual([
      'go-http',
      'rust-http',
      'direct',
    ]);
    expect(rowsOf(details, 'steady', 'token_delay').map((r) => r.target)).toEqual([
      'rust-http',
      'direct',
    ]);
    expect(distributionSays(rowsOf(details, 'steady', 'stream'))).toMatch(
      /^95th percentile: least .+ ms, most .+ ms\.$/,
    ); // of 400 values four lie beyond the 99th
    expect(distributionSays([])).toBe('Nothing was counted.');
  });
});

describe('facts of a run', () => {
  const { records } = readRun(simulateRank(simulate({ seed: 5, commits: 30 })).lines);
  it('stand once, however many records share them', () => {
    const of = new Map(facts(records));
    expect(of.get('machine')).toBe('Intel Xeon, 4 cores, 16 GiB');
    expect(of.get('tools')).toBe('k6 1.8.1, sysstat 12.6.1');
    expect(
      new Map(facts([records[0]!, { ...records[1]!, run: { ...records[1]!.run, seed: 2 } }])).get(
        'seed of the order of slices',
      ),
    ).toBe('1483354880; 2');
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
      'steal 0.1 %, other programs 2.5 % of the machine, load average before 1.3',
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
