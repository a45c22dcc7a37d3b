// baseline: 10 VUs for each target, side by side, each VU one stream after the
// other, at the pace of a model that writes 20 tokens per second. The cores are
// nearly idle; what differs between servers is delay, CPU time per stream and
// memory. Throughput does not: the stub's pace caps it at 10 streams per second.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

export const options = plan(
  warmUpSideBySide(10),
  sideBySide({ level: '', vus: 10, itl_ms: 50, ms: quick ? 5_000 : 20_000 }),
);

export default load;
