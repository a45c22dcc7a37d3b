// A short example of k6/x/sse: streams of the stub, their times by number of VUs, and the
// histograms beside k6's own summary.
//
//	bin/k6 run -e TARGET_URL=http://127.0.0.1:8080/chat -e SUMMARY=summary.json sse/example.js
import { check } from 'k6';
import exec from 'k6/execution';
import sse from 'k6/x/sse';

export const options = {
  scenarios: {
    load: { executor: 'per-vu-iterations', vus: 5, iterations: Number(__ENV.STREAMS || 10) },
  },
  thresholds: {
    http_req_failed: ['rate==0'],
    'sse_ttft{target:example}': ['p(95)<5000'],
  },
};

// TARGET_URL is a server's /chat. With STUB=1 it is the stub, which wants the body of the
// OpenAI API.
const message = 'hello @tokens=20 @itl=2ms';
const body = JSON.stringify(__ENV.STUB ? { messages: [{ role: 'user', content: message }], stream: true } : { message });

export default function () {
  const res = sse.post(__ENV.TARGET_URL, body, {
    target: 'example',
    level: String(exec.instance.vusActive),
    slice: exec.scenario.name,
    tokens: 20,
    timeout_ms: 20_000,
  });
  if (!check(res, { 'stream is whole': (r) => r.ok })) {
    console.error(`${res.kind}: ${res.error}`);
  }
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY]: JSON.stringify({ summary: data.metrics, histograms: sse.histograms() }) };
}
