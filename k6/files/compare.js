// comparison: small, large and stress in one k6 run, for `bench compare`. Each round has fresh processes,
// and base, head and direct share 20 s of load. At 60 large files a second to each target, latency and CPU time scatter
// half as much as at 150, where k6 was late. README.md of k6/shapes has trials of the slices. Records have the names of
// those scenarios.
import { inSlices, load, plan, quick, sideBySide, warmUpInSlices, warmUpSideBySide } from '../lib/requests.js';
import { large, small } from './lib/ring.js';
export { handleSummary } from '../lib/requests.js';

const both = [...small, ...large];
const each_ms = quick ? 400 : 2_000;

export const options = plan(
  warmUpSideBySide(50, both),
  sideBySide({ level: 'small', vus: 20, rate_per_s: 200, ms: 2_000, requests: small }),
  sideBySide({ level: 'large', vus: 20, rate_per_s: 60, ms: quick ? 2_000 : 6_000, requests: large }),
  warmUpInSlices(200, both),
  inSlices({ level: 'stress-8k-100', vus: 100, slice_ms: 150, each_ms, direct_ms: 450, requests: small }),
  inSlices({ level: 'stress-200k-100', vus: 100, slice_ms: 200, each_ms, direct_ms: 400, requests: large }),
  inSlices({ level: 'stress-200k-200', vus: 200, slice_ms: 400, each_ms: quick ? 400 : 800, direct_ms: 400, requests: large }),
);

export default load;
