// A short example of slices in k6/x/sse: two targets one after the other, then side by side, in
// one run. A slice ends with its last stream.
//
//	bin/k6 run -e TARGET_URL=http://127.0.0.1:8080/chat -e PID=1234 -e SUMMARY=summary.json sse/slices.js
import { check } from 'k6';
import sse from 'k6/x/sse';

const url = __ENV.TARGET_URL;
sse.schedule(JSON.stringify({
  targets: [{ name: 'one', url }, { name: 'other', url }],
  watched: { server: [Number(__ENV.PID)] },
  slices: [
    { level: '2', targets: [1], vus: 2, ms: 200 },
    { level: '2', targets: [0], vus: 2, ms: 200 },
    { level: 'beside', targets: [0, 1], vus: 3, ms: 200 },
  ],
}));

// One iteration for each VU of the largest slice. slice() waits while a VU has none.
export const options = {
  scenarios: { load: { executor: 'per-vu-iterations', vus: 6, iterations: 1, maxDuration: '1m' } },
};

const message = 'hello @tokens=20 @itl=2ms';
const body = JSON.stringify(__ENV.STUB ? { messages: [{ role: 'user', content: message }], stream: true } : { message });

export default function () {
  for (let t; (t = sse.slice()) !== null;) {
    const res = sse.post(t.url, body, { target: t.target, level: t.level, slice: t.slice, tokens: 20, timeout_ms: 20_000 });
    check(res, { 'stream is whole': (r) => r.ok });
  }
}

export function handleSummary() {
  return { [__ENV.SUMMARY]: JSON.stringify({ slices: sse.slices(), histograms: sse.histograms() }) };
}
