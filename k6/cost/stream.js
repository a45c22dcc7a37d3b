// One client of cost at one pace, until it is stopped. CLIENT is http (k6/http as a scenario
// would use it), sse, or idle (an iteration that sleeps as long as a stream takes, for k6's own
// part). MESSAGE, VUS, STREAM_MS and TARGET_URL come from cost.
import http from 'k6/http';
import { check, sleep } from 'k6';
import { Counter, Rate, Trend } from 'k6/metrics';
import sse from 'k6/x/sse';

const vus = Number(__ENV.VUS);
const own = __ENV.CLIENT === 'sse'; // has VUs of its own
export const options = {
  scenarios: { load: { executor: 'constant-vus', vus: own ? 1 : vus, duration: '10m', gracefulStop: '0s' } },
};

const url = __ENV.TARGET_URL;
const body = JSON.stringify({ messages: [{ role: 'user', content: __ENV.MESSAGE }], stream: true });
sse.schedule({ targets: [{ name: 'stub', url }], slices: [{ level: '', targets: [0], vus, ms: 600_000, spread_ms: Number(__ENV.STREAM_MS) }] });

// A script with k6/http needs this.
const streamMs = new Trend('stream_ms', true);
const streamFailed = new Rate('stream_failed');
const streamStarted = new Counter('stream_started');

const clients = {
  http() {
    streamStarted.add(1);
    const res = http.post(url, body, { headers: { 'Content-Type': 'application/json' }, timeout: '20s' });
    const ok = check(res, {
      'status is 200': (r) => r.status === 200,
      'ends with [DONE]': (r) => typeof r.body === 'string' && r.body.endsWith('data: [DONE]\n\n'),
    });
    streamFailed.add(!ok);
    if (ok) {
      streamMs.add(res.timings.duration);
    } else {
      throw new Error(`http: status ${res.status}`);
    }
  },

  sse() {
    sse.load({ '': { tokens: 20, timeout_ms: 20_000, bodies: { stub: body } } });
  },

  idle() {
    sleep(Number(__ENV.STREAM_MS) / 1000);
  },
};

export default clients[__ENV.CLIENT];
