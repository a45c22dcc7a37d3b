// The k6 side of agree: streams of one pace, one after the other in each VU. The first slice does
// not count, since connections are made in it. Each round is a slice. BODY, TOKENS, VUS, ROUNDS,
// EACH_MS, PAUSE_MS, TARGET_URL and SUMMARY come from agree.
import sse from 'k6/x/sse';

const [tokens, vus, rounds, each, pause] = ['TOKENS', 'VUS', 'ROUNDS', 'EACH_MS', 'PAUSE_MS'].map((name) => Number(__ENV[name]));
export const options = {
  scenarios: { load: { executor: 'per-vu-iterations', vus: 1, iterations: 1, maxDuration: '10h' } },
};

const slice = { level: '', targets: [0], vus, pause_ms: pause, spread_ms: 0 };
sse.schedule({
  targets: [{ name: 'stub', url: __ENV.TARGET_URL }],
  slices: [{ ...slice, ms: 1000 }, ...Array(rounds).fill({ ...slice, ms: each })],
});

export default function () {
  sse.load({ '': { tokens, timeout_ms: 30_000, bodies: { stub: __ENV.BODY } } });
}

export function handleSummary() {
  const begins = sse.slices().slices.slice(1).map((s) => s.started_unix_ms);
  return { [__ENV.SUMMARY]: JSON.stringify({ begins, ...sse.histograms() }) };
}
