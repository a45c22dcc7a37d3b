// tokens: turn with 200 tokens in place of 20, at the same pace. So the difference of the two is the cost of 180 tokens.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { long, warm } from './lib/shapes.js';
export { handleSummary } from '../lib/requests.js';

export const options = plan(
  warmUpSideBySide(4, warm),
  sideBySide({ level: '', vus: 20, rate_per_s: 1, ms: quick ? 10_000 : 30_000, requests: long('tokens', '@itl=10ms') }),
);

export default load;
