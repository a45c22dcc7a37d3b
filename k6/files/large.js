// large: bodies of 200 kB at a fixed rate, all targets side by side.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { large as requests } from './lib/ring.js';
export { handleSummary } from '../lib/requests.js';

export const options = plan(
  warmUpSideBySide(10, requests),
  sideBySide({ level: '', vus: 10, rate_per_s: 60, ms: quick ? 3_000 : 15_000, requests }),
);

export default load;
