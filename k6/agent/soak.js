// soak: turn for minutes, over 10,000 threads, to see whether memory grows.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { turn, warm } from './lib/shapes.js';
export { handleSummary } from '../lib/requests.js';

export const options = plan(
  warmUpSideBySide(4, warm),
  sideBySide({ level: '', vus: 20, rate_per_s: 15, ms: quick ? 20_000 : 600_000, requests: turn('soak') }),
);

export default load;
