// stress: plateaus of 10, 100 and 200 VUs, tokens 1 ms apart. The stub's pace
// allows 50 streams per second and VU: on two cores 100 VUs stay just under
// what the machine can do and 200 are past it; k6, the server and the stub
// then fight for the cores. Two servers at once would fight each other, so they
// take turns. A slice is at least ten times as long as a stream takes.
import { byTurns, load, plan, quick, warmUpByTurns } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

const each_ms = quick ? 500 : 4_000; // of a plateau, for each target
const all = { gap_ms: 1, slice_ms: 500 }; // 20 tokens: 20 ms

export const options = plan(
  warmUpByTurns(200),
  byTurns({ ...all, plateau: '10', vus: 10, each_ms: each_ms / 2 }),
  byTurns({ ...all, plateau: '100', vus: 100, each_ms }),
  byTurns({ ...all, plateau: '200', vus: 200, each_ms }),
);

export default load;
