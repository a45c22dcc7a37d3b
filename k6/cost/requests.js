// One client of cost for plain requests, until it is stopped. CLIENT is get (k6/http as a scenario
// would use it) or plain. VUS and TARGET_URL come from cost.
import http from 'k6/http';
import { check } from 'k6';
import plain from 'k6/x/plain';

const vus = Number(__ENV.VUS);
const own = __ENV.CLIENT === 'plain'; // has VUs of its own
export const options = {
  scenarios: { load: { executor: 'constant-vus', vus: own ? 1 : vus, duration: '10m', gracefulStop: '0s' } },
};

const url = __ENV.TARGET_URL;
const body = '{"status":"ok"}'; // of the stub
plain.schedule({ targets: [{ name: 'stub', url }], slices: [{ level: '', targets: [0], vus, ms: 600_000 }] });

const clients = {
  get() {
    const ok = check(http.get(url), { 'status is 200': (r) => r.status === 200, 'body is right': (r) => r.body === body });
    if (!ok) {
      throw new Error('http: wrong answer');
    }
  },

  plain() {
    const answer = { headers: { 'content-type': 'application/json' }, body };
    plain.load({ '': { timeout_ms: 20_000, requests: [{ answer }] } });
  },
};

export default clients[__ENV.CLIENT];
