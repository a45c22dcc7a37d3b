import { describe, expect, it } from 'vitest';
import type { Event, Metric } from '../src/data/form.ts';
import { eventOf, parted } from '../src/health/events.tsx';
import { grouped } from '../src/health/troubles.tsx';
import type { Health, HeadlineHealth, Pulse } from '../src/data/types.ts';
import { measured, measuredSentence, openSentence } from '../src/words/health.ts';
import { pulseBand, pulseSaid } from '../src/words/pulse.ts';

const rate: Metric = {
  name: 'rate_per_s',
  label: 'req/s',
  unit: 'streams/s',
  better: 'higher',
  means: '',
  scale: 1,
  over: null,
};
const ttft: Metric = {
  ...rate,
  name: 'ttft_p95_overhead_ms',
  unit: 'ms overhead',
  better: 'lower',
  absolute: true,
};
const of: HeadlineHealth = { scenario: 'stress-100', metric: 'rate_per_s', servers: {} };
const pulse = (over: Partial<Pulse>): Pulse => ({
  at: 9,
  m: 1100,
  l: 5,
  h: 5,
  s: 0,
  change: 10,
  of: 20,
  noise: 4,
  inside: false,
  spark: [],
  ...over,
});

describe('a pulse', () => {
  it('outside the noise says which way that is', () => {
    expect(pulseSaid(pulse({}), rate)).toMatchObject({
      direction: 'better',
      words: 'better than usual',
      change: expect.stringMatching(/^\+10.0.%, noise ±4/),
    });
    expect(pulseSaid(pulse({ change: -10 }), rate).direction).toBe('worse');
    expect(pulseSaid(pulse({}), { ...rate, better: 'lower' }).direction).toBe('worse');
    expect(pulseSaid(pulse({}), { ...rate, better: '' })).toMatchObject({
      direction: 'unclear',
      words: 'higher than usual',
    });
  });
  it('is no evidence inside the noise, or where nobody knows it', () => {
    expect(pulseSaid(pulse({ change: 3.9, inside: true }), rate)).toMatchObject({
      direction: 'unclear',
      words: 'as usual',
    });
    expect(pulseSaid(pulse({ noise: null, inside: null }), rate)).toMatchObject({
      direction: 'unclear',
      words: 'noise unknown so far',
    });
    expect(pulseSaid(pulse({ change: null, of: 0 }), rate)).toMatchObject({
      direction: 'unclear',
      change: '',
      words: 'no earlier figure to compare with',
    });
  });
  it('has its band around what came before', () => {
    const [low, high] = pulseBand(pulse({}), rate)!;
    expect([low, high].map((v) => Math.round(v))).toEqual([962, 1040]);
    expect(
      pulseBand(pulse({ m: -5, change: -0.3, noise: 1 }), { ...rate, absolute: true }),
    ).toEqual([-5.7, -3.7]);
    expect(pulseBand(pulse({ noise: null }), rate)).toBeUndefined();
  });
  it('speaks in units where shares mean nothing', () => {
    expect(pulseSaid(pulse({ change: 0.3, noise: 0.1 }), ttft)).toMatchObject({
      direction: 'worse',
      change: expect.stringMatching(/^\+0.30.ms, noise ±0.10.ms$/),
    });
  });
});

describe('the newest run', () => {
  const health: Health = {
    schema: 1,
    commit: 9,
    run: 'r',
    open: ['a'],
    missing: ['bun-http'],
    warning: [{ server: 'go-gin', scenario: 'steady', why: [] }],
    failed: [
      { server: 'go-http', scenario: 'stress-100', why: ['died'] },
      { server: 'go-http', scenario: 'stress-200', why: ['died'] },
    ],
    headlines: [
      {
        ...of,
        servers: {
          'go-gin': pulse({}),
          'rust-axum': pulse({}),
          'bun-http': pulse({ at: 8 }),
          'bun-hono': pulse({ at: 2 }),
        },
      },
    ],
  };
  it('says who is measured, missing or failed, or has a warning', () => {
    expect(measured(health)).toEqual({
      of: 5,
      measured: 2,
      absent: ['bun-http'],
      failed: ['go-http'],
      warned: ['go-gin'],
      gone: [['bun-hono', 7]],
    });
    expect(measured({ ...health, commit: 53 }).gone.map(([name]) => name)).toEqual([
      'go-gin',
      'rust-axum',
    ]); // for longer: of the past
    expect(measuredSentence(measured(health))).toBe(
      '2 of 5 servers measured; missing: bun-http; failed: go-http; bun-hono was last measured ' +
        '7 commits ago; with warnings: go-gin',
    );
  });
  it('has open regressions or none', () => {
    expect([0, 1, 2].map(openSentence)).toEqual([
      'No open regression on main.',
      '1 open regression on main.',
      '2 open regressions on main.',
    ]);
  });
  it('has its open regressions first, and the newest others', () => {
    const events = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => ({ id }) as Event);
    const { open, others } = parted(events, ['c', 'h']);
    expect([open.map((f) => f.id), others.map((f) => f.id)]).toEqual([
      ['c', 'h'],
      ['a', 'b', 'd', 'e', 'f'],
    ]);
  });
  it('calls no cell as usual that has an open regression', () => {
    const metrics = [{ ...rate, over: 'rate_x_direct' }];
    const event = {
      server: 'go-gin',
      verdict: 'regressed',
      cells: [{ scenario: 'stress-100', metric: 'rate_per_s', verdict: 'regressed' }],
    } as Event;
    const found = (server: string, change: Partial<HeadlineHealth>) =>
      eventOf([event], metrics, server, { ...of, ...change });
    expect([found('go-gin', {}), found('go-gin', { metric: 'rate_x_direct' })]).toEqual([
      event,
      event,
    ]);
    expect([
      found('go-http', {}),
      found('go-gin', { scenario: 'stress-200' }),
      found('go-gin', { metric: 'ttft_p95_ms' }),
    ]).toEqual([undefined, undefined, undefined]);
  });
  it('says a reason once for all scenarios that it is of', () => {
    const of = (scenario: string, why: string[]) => ({ server: 'go-http', scenario, why });
    expect(
      grouped([
        of('steady', ['gone after 2 s']),
        of('soak', ['gone after 3.5 s']),
        of('baseline', []),
      ]),
    ).toEqual([
      { server: 'go-http', scenarios: ['steady', 'soak'], why: 'gone after 2 s' },
      { server: 'go-http', scenarios: ['baseline'], why: 'no reason was recorded' },
    ]);
  });
});
