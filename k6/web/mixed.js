// mixed: all four requests in turn at a fixed rate, all targets side by side.
//
// 80 requests/s and no more: the 18 servers, direct and the rig then take less than half of two cores.
// One request to each of them takes 9 to 11 ms of CPU time in sum. The two Python servers are a third
// of that. At 200 requests/s they took 89 %, so every record had a warning. In 12 s each target has
// 960 requests, and 48 of them are slower than the p95.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { mixed } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const requests = mixed();

export const options = plan(
  warmUpSideBySide(5, requests),
  sideBySide({ level: '', vus: 5, rate_per_s: 80, ms: quick ? 3_000 : 12_000, requests }),
);

export default load;
