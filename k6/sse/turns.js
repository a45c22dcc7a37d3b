// Turns of k6/x/sse in short: two targets one after the other, then side by
// side, in one run; a turn ends when its last stream has.
//
//	bin/k6 run -e TARGET_URL=http://127.0.0.1:8080/chat -e PID=1234 -e SUMMARY=summary.json sse/turns.js
import { check } from 'k6';
import sse from 'k6/x/sse';

const url = __ENV.TARGET_URL;
sse.schedule(JSON.stringify({
  targets: [{ name: 'one', url }, { name: 'other', url }],
  watched: { server: [Number(__ENV.PID)] },
  turns: [
    { plateau: '2', targets: [1], vus: 2, ms: 200 },
    { plateau: '2', targets: [0], vus: 2, ms: 200 },
    { plateau: 'beside', targets: [0, 1], vus: 3, ms: 200 },
  ],
}));

// One iteration for each VU of the largest turn: turn() waits while it has none.
export const options = {
  scenarios: { load: { executor: 'per-vu-iterations', vus: 6, iterations: 1, maxDuration: '1m' } },
};

const message = 'hello @tokens=20 @gap=2ms';
const body = JSON.stringify(__ENV.STUB ? { messages: [{ role: 'user', content: message }], stream: true } : { message });

export default function () {
  for (let t; (t = sse.turn()) !== null;) {
    const res = sse.post(t.url, body, { target: t.target, plateau: t.plateau, slice: t.slice, tokens: 20, timeout_ms: 20_000 });
    check(res, { 'stream is whole': (r) => r.ok });
  }
}

export function handleSummary() {
  return { [__ENV.SUMMARY]: JSON.stringify({ turns: sse.turns(), histograms: sse.histograms() }) };
}
