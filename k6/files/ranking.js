// ranking: all scenarios in one k6 run, for `bench run`. Paced levels come first, then those that fill the machine.
// Levels have the names of records.
import { inSlices, load, plan, quick, sideBySide, warmUpInSlices, warmUpSideBySide } from '../lib/requests.js';
import { large, small } from './lib/ring.js';
export { handleSummary } from '../lib/requests.js';

const both = [...small, ...large];
const paced = { vus: 10, ms: quick ? 2_000 : 8_000 };

// k6, the server and the stub fill the cores. Two servers at once would fight each other, so they take slices.
// A slice is long beside a request, which takes longest with large files on many connections.
const stress = (size, slice_ms, requests) => [50, 100, 200, 500].flatMap((vus) => inSlices({
  level: `stress-${size}-${vus}`, vus, slice_ms, each_ms: quick ? slice_ms : 1_000, repeat_ms: 500, requests,
}));

export const options = plan(
  warmUpSideBySide(10, both),
  // The cores are mostly idle. What differs between servers is CPU time per request and the time to the first byte.
  sideBySide({ ...paced, level: 'small', rate_per_s: 200, requests: small }),
  sideBySide({ ...paced, level: 'large', rate_per_s: 60, requests: large }),
  warmUpInSlices(200, both),
  stress('8k', 200, small),
  stress('200k', 500, large),
);

export default load;
