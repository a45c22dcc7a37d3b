// stress: both sizes on 50, 100, 200 and 500 connections, as fast as answers come. k6, the server and
// the stub then fill the cores. Two servers at once would fight each other, so they take slices.
import { inSlices, load, plan, quick, warmUpInSlices } from '../lib/requests.js';
import { large, small } from './lib/ring.js';
export { handleSummary } from '../lib/requests.js';

const all = { slice_ms: 500, each_ms: quick ? 500 : 2_000 };
const levels = (size, requests) => [50, 100, 200, 500].flatMap((vus) => inSlices({ ...all, level: `${size}-${vus}`, vus, requests }));

export const options = plan(warmUpInSlices(200, [...small, ...large]), levels('8k', small), levels('200k', large));

export default load;
