// turn: runs of one turn at a fixed rate, all targets side by side. A run loads 20 messages, asks the model, and stores two.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { turn, warm } from './lib/shapes.js';
export { handleSummary } from '../lib/requests.js';

export const options = plan(
  warmUpSideBySide(4, warm),
  sideBySide({ level: '', vus: 20, rate_per_s: 10, ms: quick ? 3_000 : 20_000, requests: turn() }),
);

export default load;
