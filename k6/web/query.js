// query: GET /id/:id?name= at a fixed rate, all targets side by side.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { query } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const requests = query();

export const options = plan(
  warmUpSideBySide(10, requests),
  sideBySide({ level: '', vus: 10, rate_per_s: 200, ms: quick ? 3_000 : 8_000, requests }),
);

export default load;
