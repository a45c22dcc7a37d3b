// soak: the load of steady for minutes, to see whether memory grows.
import { load, paced, quick } from './lib/stream.js';
export { handleSummary } from './lib/stream.js';

export const options = paced({ vus: 30, ms: quick ? 20_000 : 600_000, gap_ms: 10 });

export default load;
