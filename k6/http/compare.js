// comparison: mixed and stress in one k6 run, for `bench compare`, as in web/compare.js.
import { inSlices, load, plan, quick, sideBySide, warmUpInSlices, warmUpSideBySide } from '../lib/requests.js';
import { rate_per_s, requests } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const stress = { each_ms: quick ? 400 : 2_000, direct_ms: 400, requests };

export const options = plan(
  warmUpSideBySide(50, requests),
  sideBySide({ level: 'mixed', vus: 20, rate_per_s, ms: quick ? 2_000 : 4_000, requests }),
  warmUpInSlices(500, requests),
  inSlices({ ...stress, level: 'stress-100', vus: 100, slice_ms: 100 }),
  inSlices({ ...stress, level: 'stress-500', vus: 500, slice_ms: 200 }),
);

export default load;
