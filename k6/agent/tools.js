// tools: runs of three turns at a fixed rate, all targets side by side. Two of the turns call two tools each.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { tools, warm } from './lib/shapes.js';
export { handleSummary } from '../lib/requests.js';

export const options = plan(
  warmUpSideBySide(4, warm),
  sideBySide({ level: '', vus: 20, rate_per_s: 5, ms: quick ? 3_000 : 20_000, requests: tools('') }),
);

export default load;
