// What every scenario shares: one streamed request and its checks, the metrics
// that are read from it, the warm-up, and the form of the summary.
//
// The environment gives TARGET_URL (the server's /chat) and SUMMARY (the file
// to write); QUICK=1 shortens a scenario, WARMUP=1 replaces its load by a
// number of requests.
import http from 'k6/http';
import { check } from 'k6';
import { Counter, Rate, Trend } from 'k6/metrics';

// Only streams that passed every check count in stream_ms: a fast failure must
// not make a server look fast.
const streamMs = new Trend('stream_ms', true);
const streamFailed = new Rate('stream_failed');

// Streams that were begun and have no outcome were interrupted by the end of
// the run; without this count they would be in no figure at all.
const streamBegun = new Counter('stream_begun');

// stream sends one message and reads the answer to its end.
export function stream(message) {
  streamBegun.add(1);
  const res = http.post(__ENV.TARGET_URL, JSON.stringify({ message: __ENV.WARMUP ? warmupMessage : message }), {
    headers: { 'Content-Type': 'application/json' },
    timeout: '20s', // shorter than the 30 s after which k6 interrupts: a stream that hangs has failed
  });
  const ok = check(res, {
    'status is 200': (r) => r.status === 200,
    'ends with [DONE]': (r) => typeof r.body === 'string' && r.body.endsWith('data: [DONE]\n\n'),
  });
  streamFailed.add(!ok);
  if (ok) {
    streamMs.add(res.timings.duration); // from the request's first byte to the answer's last
  }
}

// load makes k6's options: the given executor, or the warm-up.
export function load(executor) {
  return {
    scenarios: { load: __ENV.WARMUP ? warmup : executor },
    summaryTrendStats: ['avg', 'min', 'med', 'p(95)', 'p(99)', 'max', 'count'],
  };
}

const warmupMessage = 'hello @tokens=20 @gap=2ms'; // 40 ms, whatever the scenario's pace

// Counted in requests and not in seconds, so that a slow server is as warm as a fast one.
const warmup = {
  executor: 'shared-iterations',
  vus: 50,
  iterations: __ENV.QUICK ? 200 : 1000,
  maxDuration: '60s',
};

export const quick = Boolean(__ENV.QUICK);

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify(data, null, 1) + '\n' };
}
