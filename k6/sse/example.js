// A short example of k6/x/sse: two targets one after the other, then side by side, in one run. A
// slice ends with its last stream.
//
//	bin/k6 run -e TARGET_URL=http://127.0.0.1:8080/chat -e PID=1234 -e SUMMARY=summary.json sse/example.js
import sse from 'k6/x/sse';

const url = __ENV.TARGET_URL;
sse.schedule({
  targets: [{ name: 'one', url }, { name: 'other', url }],
  watched: { server: [Number(__ENV.PID)] },
  slices: [
    { level: '2', targets: [1], vus: 2, ms: 200 },
    { level: '2', targets: [0], vus: 2, ms: 200 },
    { level: 'beside', targets: [0, 1], vus: 3, ms: 200 },
  ],
});

// One VU of k6 loads all slices. Their VUs are the module's own.
export const options = {
  scenarios: { load: { executor: 'per-vu-iterations', vus: 1, iterations: 1, maxDuration: '1m' } },
};

// TARGET_URL is a server's /chat. With STUB=1 it is the stub, which wants the body of the OpenAI
// API.
const message = 'hello @tokens=20 @itl=2ms';
const body = JSON.stringify(__ENV.STUB ? { messages: [{ role: 'user', content: message }], stream: true } : { message });

export default function () {
  const shape = { tokens: 20, timeout_ms: 20_000, bodies: { one: body, other: body } };
  sse.load({ 2: shape, beside: shape });
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify({ summary: data.metrics, slices: sse.slices(), histograms: sse.histograms() }) };
}
