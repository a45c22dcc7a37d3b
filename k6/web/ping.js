// ping: GET / at a fixed rate, all targets side by side. The cores are mostly idle; what differs
// between servers is CPU time per request and latency.
// The rate is that of mixed.js, which has the reason.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { ping } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const requests = ping();

export const options = plan(
  warmUpSideBySide(5, requests),
  sideBySide({ level: '', vus: 5, rate_per_s: 80, ms: quick ? 3_000 : 12_000, requests }),
);

export default load;
