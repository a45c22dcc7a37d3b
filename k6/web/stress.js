// stress: all four requests in turn, as fast as answers come, on 10, 100 and 500 connections. k6 and
// the server then fill the cores. Two servers at once would fight each other, so they take
// slices.
import { inSlices, load, plan, quick, warmUpInSlices } from '../lib/requests.js';
import { mixed } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const requests = mixed();
const all = { slice_ms: 400, each_ms: quick ? 400 : 1_200, requests };

export const options = plan(
  warmUpInSlices(500, requests),
  inSlices({ ...all, level: '10', vus: 10 }),
  inSlices({ ...all, level: '100', vus: 100 }),
  inSlices({ ...all, level: '500', vus: 500 }),
);

export default load;
