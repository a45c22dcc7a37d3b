// rate: all four requests in turn at a fixed rate of 1,000 a second. Each target has the machine for a
// slice. Latency begins at the intended start of a request, so a stall shows in all requests that
// were due in it.
import { inSlices, load, plan, quick, warmUpInSlices } from '../lib/requests.js';
import { mixed } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const requests = mixed();

export const options = plan(
  warmUpInSlices(50, requests),
  inSlices({ level: '1000', vus: 50, rate_per_s: 1_000, slice_ms: 500, each_ms: quick ? 500 : 1_000, requests }),
);

export default load;
