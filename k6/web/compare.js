// comparison: mixed and stress in one k6 run, for `bench compare`. Each round has fresh processes, and base,
// head and direct share 13 s of load. Latency is that of mixed, where base and head share the instants. Slices are
// short, since a server may be faster or slower for a whole slice, however long it is. README.md of k6/shapes has the
// trials. The second warm-up opens the connections. Records have the names of those scenarios.
import { inSlices, load, plan, quick, sideBySide, warmUpInSlices, warmUpSideBySide } from '../lib/requests.js';
import { mixed } from './lib/ring.js';
export { handleSummary, setup } from '../lib/requests.js';

const requests = mixed();
const stress = { each_ms: quick ? 400 : 2_000, direct_ms: 400, requests };

export const options = plan(
  warmUpSideBySide(50, requests),
  sideBySide({ level: 'mixed', vus: 20, rate_per_s: 400, ms: quick ? 2_000 : 4_000, requests }),
  warmUpInSlices(500, requests),
  inSlices({ ...stress, level: 'stress-100', vus: 100, slice_ms: 100 }),
  inSlices({ ...stress, level: 'stress-500', vus: 500, slice_ms: 200 }),
);

export default load;
