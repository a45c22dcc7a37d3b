// comparison: turn, tools and stress in one k6 run, for `bench compare`, which starts fresh processes in each round.
// Records have the names of those scenarios. Rates are higher than theirs: there are only two servers.
import { inSlices, load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { full, tools, turn, warm } from './lib/shapes.js';
export { handleSummary } from '../lib/requests.js';

const stress = (vus) => inSlices({
  level: `stress-${vus}`, vus, slice_ms: 250, each_ms: quick ? 500 : 2_000, direct_ms: 250, requests: full(vus),
});

export const options = plan(
  warmUpSideBySide(16, warm),
  sideBySide({ level: 'turn', vus: 30, rate_per_s: 30, ms: quick ? 2_000 : 4_000, requests: turn() }),
  sideBySide({ level: 'tools', vus: 20, rate_per_s: 20, ms: quick ? 2_000 : 4_000, requests: tools('tools') }),
  stress(16),
  stress(32),
);

export default load;
