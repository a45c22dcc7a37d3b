// mixed: the declared requests at a fixed rate, all targets side by side. At least half of the machine is idle; what
// differs between servers is CPU time per request and latency.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { rate_per_s, requests } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

export const options = plan(
  warmUpSideBySide(20, requests),
  sideBySide({ level: '', vus: 20, rate_per_s, ms: quick ? 3_000 : 15_000, requests }),
);

export default load;
