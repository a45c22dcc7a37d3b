// ranking: all scenarios in one k6 run, for `bench run`. Paced levels come first, then those in slices. Levels have the
// names of records.
import { inSlices, load, plan, quick, sideBySide, warmUpInSlices, warmUpSideBySide } from '../lib/requests.js';
import { body, disk, mixed, ping, query } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

// 80 requests/s and no more: the 18 servers, direct and the rig then take less than half of two cores.
// One request to each of them takes 9 to 11 ms of CPU time in sum. The two Python servers are a third
// of that. At 200 requests/s they took 89 %, so every record had a warning. In 6 s each target has
// 480 requests, and 24 of them are slower than the p95.
const paced = (level, requests, ms = 6_000) => sideBySide({ level, vus: 5, rate_per_s: 80, ms: quick ? 2_000 : ms, requests });

const requests = mixed();
// k6 and the server fill the cores. Two servers at once would fight each other, so they take slices.
// Many short slices are more precise than few long ones (README.md of k6/shapes).
const stress = (vus, ms) => inSlices({
  level: `stress-${vus}`, vus, slice_ms: 100, each_ms: quick ? 100 : ms, repeat_ms: ms / 2, requests,
});

export const options = plan(
  warmUpSideBySide(5, requests),
  paced('ping', ping()),
  paced('query', query()),
  paced('body', body()),
  paced('disk', disk()),
  paced('mixed', requests, 16_000),
  warmUpInSlices(500, requests),
  // Latency begins at the intended start of a request, so a stall shows in all requests that were due in it.
  inSlices({
    level: 'rate-1000', vus: 50, rate_per_s: 1_000, slice_ms: 500, each_ms: 500, repeat_ms: 500, requests,
  }),
  stress(10, 800),
  stress(100, 1_000),
  stress(500, 1_400),
);

export default load;
