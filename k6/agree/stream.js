// The k6 side of agree: streams of one pace, one after the other in each VU, counted by the
// slice of time in which they began. BODY, TOKENS, VUS, ROUNDS, EACH_MS, PAUSE_MS, TARGET_URL
// and SUMMARY come from agree.
import { sleep } from 'k6';
import sse from 'k6/x/sse';

const [tokens, vus, rounds, each, pause] = ['TOKENS', 'VUS', 'ROUNDS', 'EACH_MS', 'PAUSE_MS'].map((name) => Number(__ENV[name]));
export const options = {
  scenarios: { load: { executor: 'per-vu-iterations', vus, iterations: 1, maxDuration: '10h' } },
};

// The first second does not count, since VUs still start and connect.
export function setup() {
  return { begin: Date.now() + 1000 };
}

export default function ({ begin }) {
  for (let round; (round = Math.floor((Date.now() - begin) / each)) < rounds;) {
    const res = sse.post(__ENV.TARGET_URL, __ENV.BODY, { slice: String(Math.max(round, -1)), tokens, timeout_ms: 30_000 });
    if (!res.ok) {
      throw new Error(`${res.kind}: ${res.error}`);
    }
    sleep(Math.random() * pause / 1000);
  }
}

export function handleSummary({ setup_data: { begin } }) {
  return { [__ENV.SUMMARY]: JSON.stringify({ begin, ...sse.histograms() }) };
}
