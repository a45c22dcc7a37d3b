// steady: 30 VUs for each target, side by side, tokens 10 ms apart. All nine
// together keep two cores less than half busy, so nobody waits for a core and
// what a stream costs is seen within seconds.
import { load, paced, quick } from './lib/stream.js';
export { handleSummary } from './lib/stream.js';

export const options = paced({ vus: 30, ms: quick ? 4_000 : 20_000, gap_ms: 10 });

export default load;
