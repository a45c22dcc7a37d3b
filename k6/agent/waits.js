// waits: runs of one turn of a model that takes its time, at a fixed rate, all targets side by side. That is what a user feels.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { long, warm } from './lib/shapes.js';
export { handleSummary } from '../lib/requests.js';

export const options = plan(
  warmUpSideBySide(4, warm),
  sideBySide({ level: '', vus: 20, rate_per_s: 1, ms: quick ? 10_000 : 30_000, requests: long('waits', '@ttft=300ms @itl=20ms') }),
);

export default load;
