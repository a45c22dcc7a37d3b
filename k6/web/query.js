// query: GET /id/:id?name= at a fixed rate, all targets side by side.
// The rate is that of mixed.js, which has the reason.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { query } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const requests = query();

export const options = plan(
  warmUpSideBySide(5, requests),
  sideBySide({ level: '', vus: 5, rate_per_s: 80, ms: quick ? 3_000 : 12_000, requests }),
);

export default load;
