// ranking: all scenarios in one k6 run, for `bench run`. The paced level comes first, then those in slices. Levels have
// the names of records.
import { inSlices, load, plan, quick, sideBySide, warmUpInSlices, warmUpSideBySide } from '../lib/requests.js';
import { rate_per_s, requests } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const all = { vus: 20, rate_per_s, requests };
// k6 and the server fill the cores. Two servers at once would fight each other, so they take slices.
const saturated = { each_ms: quick ? 200 : 1_000, repeat_ms: 500, requests };
const stress = (vus, slice_ms) => inSlices({ ...saturated, level: `stress-${vus}`, vus, slice_ms });

export const options = plan(
  warmUpSideBySide(20, requests),
  // At least half of the machine is idle. What differs between servers is CPU time per request and latency.
  sideBySide({ ...all, level: 'mixed', ms: quick ? 2_000 : 8_000 }),
  warmUpInSlices(500, requests),
  // The level is named half, since the machine is at most half busy. Latency begins at the intended start of a request,
  // so a stall shows in all requests that were due in it.
  inSlices({ ...all, level: 'rate-half', slice_ms: 500, each_ms: quick ? 500 : 1_000, repeat_ms: 500 }),
  stress(10, 100),
  stress(100, 100),
  stress(500, 200),
);

export default load;
