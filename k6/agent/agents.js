// agents: runs whose first turn delegates to two agents, at a fixed rate, all targets side by side. Each agent has two turns and a
// tool of its own.
import { load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/requests.js';
import { delegated, runs } from './lib/runs.js';
import { warm } from './lib/shapes.js';
export { handleSummary } from '../lib/requests.js';

const requests = runs({
  of: 'agents', script: '@agents=2 @tokens=20 @itl=10ms', events: 74, before: delegated({ agents: 2, tokens: 20, itl: '10ms', bytes: 100 }),
});

export const options = plan(
  warmUpSideBySide(4, warm),
  sideBySide({ level: '', vus: 20, rate_per_s: 5, ms: quick ? 3_000 : 20_000, requests }),
);

export default load;
