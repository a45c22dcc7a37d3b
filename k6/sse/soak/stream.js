// Streams of one pace until k6 is stopped, for soak. With ITERATIONS=1 each is
// an iteration of k6; else each VU has one iteration, which does not end.
// BODY, TOKENS, VUS and TARGET_URL come from soak.
import sse from 'k6/x/sse';

const vus = Number(__ENV.VUS);
export const options = {
  scenarios: {
    load: __ENV.ITERATIONS
      ? { executor: 'constant-vus', vus, duration: '100h' }
      : { executor: 'per-vu-iterations', vus, iterations: 1, maxDuration: '100h' },
  },
};

const params = { target: 'stub', plateau: __ENV.VUS, tokens: Number(__ENV.TOKENS), timeout_ms: 20_000 };

export default function () {
  do {
    const res = sse.post(__ENV.TARGET_URL, __ENV.BODY, params);
    if (!res.ok) {
      throw new Error(`${res.kind}: ${res.error}`);
    }
  } while (!__ENV.ITERATIONS);
}
