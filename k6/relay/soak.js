// soak: steady with 30 VUs for minutes, to see whether memory grows.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

export const options = plan(
  warmUpSideBySide(30),
  sideBySide({ level: '', vus: 30, itl_ms: 10, ms: quick ? 20_000 : 600_000 }),
);

export default load;
