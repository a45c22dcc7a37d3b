// Requests: what scenarios send with k6/x/plain, which compares each answer with the expected one.
import http from 'k6/http';
import plain from 'k6/x/plain';
import * as slices from './slices.js';

export { quick } from './slices.js';

// A level has, besides the fields in slices.js, its requests: a list in the form of k6/x/plain, or its rings by
// target. With rate_per_s they arrive at a fixed rate, whatever the answers take.

export const sideBySide = (level) => slices.sideBySide(requests(level));
export const inSlices = (level) => slices.inSlices(requests(level));

// In a slice, requests is their number. Node.js is cold after 2,000 (README.md of k6/shapes).
const warm = { requests: slices.quick ? 200 : 6000, ms: slices.quick ? 3_000 : 9_000 };
export const warmUpSideBySide = (vus, ring) => slices.warmUpSideBySide({ ...warm, vus, shape: shapeOf(ring) });
export const warmUpInSlices = (vus, ring) => slices.warmUpInSlices({ ...warm, vus, shape: shapeOf(ring) });

// A level of count requests to each target lasts until all have ended.
export const sideBySideUntil = ({ count, requests: ring, ...level }) => slices.sideBySide({ ...level, requests: count, shape: shapeOf(ring) });

const requests = ({ requests: ring, ...level }) => ({ ...level, shape: shapeOf(ring) });
const shapeOf = (ring) => ({ timeout_ms: 20_000, ...(Array.isArray(ring) ? { requests: ring } : { rings: ring }) });

const direct = slices.targets.find(({ name }) => name === 'direct');
const answers = []; // of the stub, in order

// answered lets the stub answer the requests to direct with the expected answers. Without a server
// between, they are a lower bound: what the load and the kernel take.
export function answered(ring) {
  return ring.map((request) => {
    answers.push(request.answer);
    return { ...request, paths: { direct: `/answers/${answers.length - 1}` } };
  });
}

// prepared takes rings by target. That of direct has the paths of these answers of the stub.
export function prepared(rings, list) {
  answers.push(...list);
  return rings;
}

// setup gives the stub its answers, once, before the load.
export function setup() {
  if (!direct || answers.length === 0) {
    return;
  }
  const first = (value) => (Array.isArray(value) ? value[0] : value);
  const whole = answers.map(({ status = 200, headers = {}, body = '', body_base64 }) => ({
    status, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, first(value)])),
    ...(body_base64 ? { body_base64 } : { body: first(body) }),
  }));
  const response = http.post(`${direct.url}/answers`, JSON.stringify(whole));
  if (response.status !== 200) {
    throw new Error(`stub: POST /answers: status ${response.status}: ${response.body}`);
  }
}

let shapes;

// plan makes k6's options of lists of slices, which follow each other.
export function plan(...lists) {
  const made = slices.plan(plain, lists);
  shapes = made.shapes;
  return made.options;
}

// load loads all slices.
export function load() {
  plain.load(shapes);
}

export const handleSummary = () => slices.summary({ slices: plain.slices(), requests: plain.histograms() });
