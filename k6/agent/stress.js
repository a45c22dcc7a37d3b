// stress: runs of two turns as fast as answers come, on 4, 16 and 32 connections. k6, the stub, the database and the server then
// fill the cores. Two servers at once would fight each other, so they take slices.
import { inSlices, load, plan, quick, warmUpInSlices } from '../lib/requests.js';
import { full, warm } from './lib/shapes.js';
export { handleSummary } from '../lib/requests.js';

// A slice is longer on many connections, since a run is.
const level = (vus, slice_ms) => inSlices({ level: `${vus}`, vus, slice_ms, each_ms: quick ? slice_ms : 2_400, requests: full(vus) });

export const options = plan(warmUpInSlices(32, warm), level(4, 400), level(16, 600), level(32, 800));

export default load;
