// comparison: small, large and stress in one k6 run, for `bench compare`. Each of up to 12 rounds has
// fresh processes, and base, head and direct share 15 s of load. Records have the names of those
// scenarios.
import { inSlices, load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { large, small } from './lib/ring.js';
export { handleSummary } from '../lib/requests.js';

const stress = { slice_ms: 400, each_ms: quick ? 400 : 800 };

export const options = plan(
  warmUpSideBySide(50, [...small, ...large]),
  sideBySide({ level: 'small', vus: 20, rate_per_s: 400, ms: quick ? 2_000 : 3_000, requests: small }),
  sideBySide({ level: 'large', vus: 20, rate_per_s: 150, ms: quick ? 2_000 : 4_000, requests: large }),
  inSlices({ ...stress, level: 'stress-8k-100', vus: 100, requests: small }),
  inSlices({ ...stress, level: 'stress-200k-100', vus: 100, requests: large }),
  inSlices({ ...stress, level: 'stress-200k-200', vus: 200, requests: large }),
);

export default load;
