// The axes of score v1 and what they are held against. Both are frozen: another
// axis, span or reference is another version, so that a score that was quoted
// stays what it was.

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
};

export const version = 1;

/**
 * The reference is one run, whatever was measured since: medians of three rounds of
 * `scripts/bench run` on two shared cores. go-http, which is Go's standard library
 * alone, stands for what only a server has; direct, k6 straight to the stub, for
 * what no server can be quicker than.
 */
export const referenceRun = '2026-11-21T130043Z';
export const referenceMachine = 'Intel(R) Xeon(R) Processor, 2 cores, 24 GiB';

export const axes: readonly Axis[] = [
  { id: 'throughput', label: 'req/s', scenario: 'stress-200', metric: 'rate_per_s', unit: 'streams/s', kind: 'middle', better: 'higher', reference: 7981.126, of: 'go-http' },
  { id: 'cpu', label: 'CPU for a stream', scenario: 'steady', metric: 'server_cpu_us_per_stream', unit: 'us', kind: 'middle', better: 'lower', reference: 501.9015, of: 'go-http' },
  { id: 'first-token', label: 'first token, p95', scenario: 'steady', metric: 'ttft_p95_ms', unit: 'ms', kind: 'tail', better: 'lower', reference: 0.605, of: 'direct' },
  { id: 'stream', label: 'whole stream, p99', scenario: 'stress-200', metric: 'stream_p99_ms', unit: 'ms', kind: 'tail', better: 'lower', reference: 23.0875, of: 'direct' },
  { id: 'gap', label: 'gap between tokens, p99', scenario: 'stress-200', metric: 'gap_p99_ms', unit: 'ms', kind: 'tail', better: 'lower', reference: 2.9655, of: 'direct' },
  { id: 'memory', label: 'peak memory', scenario: 'stress-200', metric: 'server_rss_peak_bytes', unit: 'bytes', kind: 'middle', better: 'lower', reference: 32681980, of: 'go-http' },
];
