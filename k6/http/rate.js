// rate: the rate of mixed, and each target has the machine for a slice. The level is named half, since the machine is
// at most half busy. Latency begins at the intended start of a request, so a stall shows in all requests that were due
// in it.
import { inSlices, load, plan, quick, warmUpInSlices } from '../lib/requests.js';
import { rate_per_s, requests } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

export const options = plan(
  warmUpInSlices(20, requests),
  inSlices({ level: 'half', vus: 20, rate_per_s, slice_ms: 500, each_ms: quick ? 500 : 2_000, requests }),
);

export default load;
