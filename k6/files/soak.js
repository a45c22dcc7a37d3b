// soak: bodies of 200 kB for minutes, to see whether memory grows.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { large as requests } from './lib/ring.js';
export { handleSummary } from '../lib/requests.js';

export const options = plan(
  warmUpSideBySide(20, requests),
  sideBySide({ level: '', vus: 20, rate_per_s: 100, ms: quick ? 20_000 : 600_000, requests }),
);

export default load;
