// comparison: mixed, rate and stress in one k6 run, for `bench compare`. Each of up to 12 rounds has fresh processes,
// and base, head and direct share 12 s of load. Records have the names of those scenarios.
import { inSlices, load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { rate_per_s, requests } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const stress = { slice_ms: 400, each_ms: quick ? 400 : 800, requests };

export const options = plan(
  warmUpSideBySide(50, requests),
  sideBySide({ level: 'mixed', vus: 20, rate_per_s, ms: quick ? 2_000 : 4_000, requests }),
  inSlices({ level: 'rate-half', vus: 20, rate_per_s, slice_ms: 500, each_ms: quick ? 500 : 1_000, requests }),
  inSlices({ ...stress, level: 'stress-100', vus: 100 }),
  inSlices({ ...stress, level: 'stress-500', vus: 500 }),
);

export default load;
