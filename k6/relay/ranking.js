// ranking: all scenarios in one k6 run, for `bench run`. Paced levels come first, then those that fill the machine.
// Levels have the names of records.
import { inSlices, load, plan, quick, sideBySide, warmUpInSlices, warmUpSideBySide } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

// The stub's pace allows 50 streams per second and VU: on two cores 100 VUs stay just under what the machine can do and
// 200 are past it; k6, the server and the stub then fight for the cores. Two servers at once would fight each other, so
// they take slices. A slice is at least ten times as long as a stream takes: 20 tokens, 20 ms.
const each_ms = quick ? 500 : 4_000; // of a level, for each target
const stress = (vus, ms) => inSlices({
  level: `stress-${vus}`, vus, itl_ms: 1, slice_ms: 500, each_ms: ms, repeat_ms: ms / 2,
});

export const options = plan(
  warmUpSideBySide(20),
  // At the pace of a model that writes 20 tokens per second the cores are nearly idle. What differs between servers is
  // delay, CPU time per stream and memory. Throughput does not: the stub's pace caps it at 10 streams per second.
  sideBySide({ level: 'baseline', vus: 10, itl_ms: 50, ms: quick ? 5_000 : 20_000 }),
  // Nine targets keep two cores about 60 % busy, so few tokens wait for a core, and the cost of a stream shows within
  // seconds.
  sideBySide({ level: 'steady', vus: 20, itl_ms: 10, ms: quick ? 4_000 : 20_000 }),
  warmUpInSlices(200),
  stress(10, each_ms / 2),
  stress(100, each_ms),
  stress(200, each_ms),
);

export default load;
