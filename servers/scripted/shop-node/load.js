// A visit: log in, search twice, log out. The rate leaves room: base and head together take about 40 % of two cores.
import { check, sleep } from 'k6';
import http from 'k6/http';

export const options = {
  scenarios: {
    visits: { executor: 'constant-arrival-rate', rate: 200, timeUnit: '1s', duration: '20s', preAllocatedVUs: 60 },
  },
  thresholds: { http_req_failed: ['rate<0.01'], http_req_duration: ['p(95)<200'] },
};

const base = __ENV.BASE_URL;

export default function () {
  const login = http.post(`${base}/login`, null);
  check(login, { 'login gives a token': (r) => r.status === 201 && r.json('token') !== '' });
  const session = { headers: { Authorization: login.json('token') } };
  for (const word of ['1', '42']) {
    const found = http.get(`${base}/search?q=${word}`, session);
    check(found, { 'search finds something': (r) => r.status === 200 && r.json().length > 0 });
    sleep(0.05);
  }
  http.del(`${base}/login`, null, session);
}
