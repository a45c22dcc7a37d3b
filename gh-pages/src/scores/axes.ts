// The axes of score v2 and what they are held against. Both are frozen: another
// axis, span or reference is another version, so that a score that was quoted
// stays what it was. v1 was held against a run in which steady had 30 VUs, without
// pauses, so that a stream took half the CPU that it takes now.

/** An axis is one figure of one scenario. */
export type Axis = {
  id: string;
  label: string;
  scenario: string;
  metric: string;
  unit: string;
  /**
   * middle: as good as the reference is 50, ten times better 100, ten times worse 0.
   * tail: as good as the reference is 100, since the reference has no server in it, and 1,000 times worse 0.
   */
  kind: 'middle' | 'tail';
  better: 'higher' | 'lower';
  reference: number; // in unit
  /** The target of the reference run whose figure the reference is. */
  of: 'go-http' | 'direct';
  run?: string; // of the figure, where it is not referenceRun
};

export const version = 2;

/**
 * The reference is one run, whatever was measured since: medians of three rounds of
 * `scripts/bench run` on two shared cores, as the README's tables have them. go-http,
 * which is Go's standard library alone, stands for what only a server has; direct, k6
 * straight to the stub, for what no server can be quicker than.
 */
export const referenceRun = '2026-11-22T150918Z';
export const referenceMachine = 'Intel(R) Xeon(R) Processor, 2 cores, 24 GiB';

export const axes: readonly Axis[] = [
  { id: 'throughput', label: 'req/s', scenario: 'stress-200', metric: 'rate_per_s', unit: 'streams/s', kind: 'middle', better: 'higher', reference: 7104, of: 'go-http' },
  { id: 'cpu', label: 'CPU for a stream', scenario: 'steady', metric: 'server_cpu_us_per_stream', unit: 'us', kind: 'middle', better: 'lower', reference: 1049, of: 'go-http' },
  { id: 'first-token', label: 'first token, p95', scenario: 'steady', metric: 'ttft_p95_ms', unit: 'ms', kind: 'tail', better: 'lower', reference: 0.86, of: 'direct' },
  { id: 'stream', label: 'whole stream, p99', scenario: 'stress-200', metric: 'stream_p99_ms', unit: 'ms', kind: 'tail', better: 'lower', reference: 26.7, of: 'direct' },
  // The tables have no gap of stress: this is v1's.
  { id: 'gap', label: 'gap between tokens, p99', scenario: 'stress-200', metric: 'gap_p99_ms', unit: 'ms', kind: 'tail', better: 'lower', reference: 2.9655, of: 'direct', run: '2026-11-21T130043Z' },
  { id: 'memory', label: 'peak memory', scenario: 'stress-200', metric: 'server_rss_peak_bytes', unit: 'bytes', kind: 'middle', better: 'lower', reference: 32_600_000, of: 'go-http' },
];
