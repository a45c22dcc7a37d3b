// steady: 20 VUs for each target, side by side, tokens 10 ms apart. Nine targets keep two cores
// about 60 % busy, so few tokens wait for a core, and the cost of a stream shows within
// seconds.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

export const options = plan(
  warmUpSideBySide(20),
  sideBySide({ level: '', vus: 20, itl_ms: 10, ms: quick ? 4_000 : 20_000 }),
);

export default load;
