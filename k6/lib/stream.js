// What every scenario shares: one streamed request, the warm-up, and the form
// of the summary. What is measured of a stream, and when it counts, is k6/x/sse's.
//
// The environment gives TARGET_URL (the server's /chat) and SUMMARY (the file
// to write); QUICK=1 shortens a scenario, WARMUP=1 replaces its load by a
// number of requests.
import sse from 'k6/x/sse';

const tokens = 20;

// stream sends one message and reads the answer to its end. A stream that hangs
// has failed before the 30 s are over after which k6 interrupts.
const params = { tokens, timeout_ms: 20_000 };

export function stream(gap) {
  sse.post(__ENV.TARGET_URL, __ENV.WARMUP ? body('2ms') : body(gap), params);
}

const bodies = {};

function body(gap) {
  return (bodies[gap] ??= JSON.stringify({ message: `hello @tokens=${tokens} @gap=${gap}` }));
}

// load makes k6's options: the given executor, or the warm-up.
export function load(executor) {
  return {
    scenarios: { load: __ENV.WARMUP ? warmup : executor },
    summaryTrendStats: ['avg'],
  };
}

// Counted in requests and not in seconds, so that a slow server is as warm as a
// fast one. A stream takes 40 ms, whatever the scenario's pace.
const warmup = {
  executor: 'shared-iterations',
  vus: 50,
  iterations: __ENV.QUICK ? 200 : 1000,
  maxDuration: '60s',
};

export const quick = Boolean(__ENV.QUICK);

export function handleSummary(data) {
  const { iteration_duration, vus_max } = data.metrics;
  const summary = {
    duration_ms: data.state.testRunDurationMs,
    vus_max: vus_max ? vus_max.values.max : null, // sampled once a second
    iteration_mean_ms: iteration_duration ? iteration_duration.values.avg : null,
    ...sse.histograms(),
  };
  return { [__ENV.SUMMARY]: JSON.stringify(summary) + '\n' };
}
