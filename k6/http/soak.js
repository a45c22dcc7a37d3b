// soak: mixed for minutes, to see whether memory grows.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { rate_per_s, requests } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

export const options = plan(
  warmUpSideBySide(20, requests),
  sideBySide({ level: '', vus: 20, rate_per_s, ms: quick ? 20_000 : 600_000, requests }),
);

export default load;
