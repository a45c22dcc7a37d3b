// soak: mixed for minutes, to see whether memory grows.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { mixed } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const requests = mixed();

export const options = plan(
  warmUpSideBySide(20, requests),
  sideBySide({ level: '', vus: 20, rate_per_s: 400, ms: quick ? 20_000 : 600_000, requests }),
);

export default load;
