// ranking: greetings at a fixed rate, all targets side by side.
import { load, plan, sideBySide, warmUpSideBySide } from '../lib/requests.js';
export { handleSummary } from '../lib/requests.js';

const requests = [{ path: '/', answer: { body: 'hello' } }];

export const options = plan(warmUpSideBySide(2, requests), sideBySide({ level: 'calm', vus: 2, rate_per_s: 100, ms: 2_000, requests }));

export default load;
