// stress: plateaus of 10, 100 and 200 VUs, tokens 1 ms apart. The stub's pace
// allows 50 streams per second and VU: on two cores 100 VUs stay just under
// what the machine can do and 200 are past it; k6, the server and the stub
// then fight for the cores. Two servers at once would fight each other, so they
// take turns. A slice is at least ten times as long as a stream takes.
import { byTurns, load, quick } from './lib/stream.js';
export { handleSummary } from './lib/stream.js';

export const options = byTurns(
  [{ vus: 10, ms: 500 }, { vus: 100, ms: 1_000 }, { vus: 200, ms: 1_000 }],
  quick ? 1 : 4,
);

export default function () {
  load('1ms'); // 20 tokens: 20 ms
}
