// ranking: all scenarios in one k6 run, for `bench run`. Paced levels come first, then those that fill the machine.
// Levels have the names of records.
import { inSlices, load, plan, quick, sideBySide, warmUpInSlices, warmUpSideBySide } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

// The stub's pace allows 50 streams per second and VU: on two cores 100 VUs stay just under what the machine can do and
// 200 are past it; k6, the server and the stub then fight for the cores. Two servers at once would fight each other, so
// they take slices. A slice is five times as long as a stream takes: 20 tokens, 20 ms. Many short slices are more precise
// than few long ones (README.md of k6/shapes).
const stress = (vus, ms) => inSlices({
  level: `stress-${vus}`, vus, itl_ms: 1, slice_ms: 110, each_ms: quick ? 220 : ms, repeat_ms: ms / 2,
});

export const options = plan(
  warmUpSideBySide(20),
  // At the pace of a model that writes 20 tokens per second the cores are nearly idle. What differs between servers is
  // delay, CPU time per stream and memory. Throughput does not: the stub's pace caps it at 10 streams per second.
  sideBySide({ level: 'baseline', vus: 10, itl_ms: 50, ms: quick ? 2_500 : 8_000 }),
  // Nine targets keep two cores about 60 % busy, so few tokens wait for a core, and the cost of a stream shows within
  // seconds.
  sideBySide({ level: 'steady', vus: 20, itl_ms: 10, ms: quick ? 2_000 : 17_000 }),
  warmUpInSlices(200),
  stress(10, 220),
  stress(100, 1_320),
  stress(200, 2_420),
);

export default load;
