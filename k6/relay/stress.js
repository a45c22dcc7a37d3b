// stress: levels of 10, 100 and 200 VUs, tokens 1 ms apart. The stub's pace
// allows 50 streams per second and VU: on two cores 100 VUs stay just under
// what the machine can do and 200 are past it; k6, the server and the stub
// then fight for the cores. Two servers at once would fight each other, so they
// take slices. A slice is at least ten times as long as a stream takes.
import { inSlices, load, plan, quick, warmUpInSlices } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

const each_ms = quick ? 500 : 4_000; // of a level, for each target
const all = { itl_ms: 1, slice_ms: 500 }; // 20 tokens: 20 ms

export const options = plan(
  warmUpInSlices(200),
  inSlices({ ...all, level: '10', vus: 10, each_ms: each_ms / 2 }),
  inSlices({ ...all, level: '100', vus: 100, each_ms }),
  inSlices({ ...all, level: '200', vus: 200, each_ms }),
);

export default load;
