import { check, sleep } from 'k6';
import http from 'k6/http';

export const options = {
  scenarios: { visits: { executor: 'constant-arrival-rate', rate: 40, duration: '12s', preAllocatedVUs: 20 } },
  thresholds: { http_req_failed: ['rate<0.01'], http_req_duration: ['p(95)<500'] },
};

export default function () {
  const login = http.post(`${__ENV.BASE_URL}/login`, null);
  check(login, { 'login gives a token': (r) => r.status === 200 && r.json('token') !== '' });
  const session = { headers: { Authorization: login.json('token') } };
  const found = http.get(`${__ENV.BASE_URL}/search?q=1`, session);
  check(found, { 'search finds ten': (r) => r.status === 200 && r.json().length === 10 });
  sleep(0.05);
  http.get(`${__ENV.BASE_URL}/cart`, session);
}
