// steady: 30 VUs for each target, side by side, tokens 10 ms apart. All nine
// together keep two cores less than half busy, so nobody waits for a core and
// what a stream costs is seen within seconds.
import { load, plan, quick, sideBySide, warmUpSideBySide } from './lib/stream.js';
export { handleSummary } from './lib/stream.js';

export const options = plan(
  warmUpSideBySide(30),
  sideBySide({ plateau: '', vus: 30, gap_ms: 10, ms: quick ? 4_000 : 20_000 }),
);

export default load;
