// ranking: all scenarios in one k6 run, for `bench run`. Paced levels come first, then those that fill the machine.
// Levels have the names of records. No level uses the threads of another (lib/runs.js).
import { inSlices, load, plan, quick, sideBySide, sideBySideUntil, warmUpInSlices, warmUpSideBySide } from '../lib/requests.js';
import { fanout, rounds, subscribers } from './lib/fanout.js';
import { delegated, runs } from './lib/runs.js';
import { full, long, tools, turn, warm } from './lib/shapes.js';
import { changes, withReads } from './lib/threads.js';
export { handleSummary, setup } from '../lib/requests.js';

const paced = { vus: 20, ms: quick ? 2_000 : 10_000 };
const slow = { vus: 20, rate_per_s: 1, ms: quick ? 10_000 : 15_000 };

// Each agent has two turns and a tool of its own.
const agents = runs({
  of: 'agents', script: '@agents=2 @tokens=20 @itl=10ms', events: 74, before: delegated({ agents: 2, tokens: 20, itl: '10ms', bytes: 100 }),
});

// k6, the stub, the database and the server fill the cores. Two servers at once would fight each other, so they take
// slices. A slice is longer on many connections, since a run is.
const stress = (vus, slice_ms) => inSlices({
  level: `stress-${vus}`, vus, slice_ms, each_ms: quick ? slice_ms : 1_200, repeat_ms: 600, requests: full(vus),
});

const first = withReads(warm); // both warm-ups share it

export const options = plan(
  warmUpSideBySide(4, first),
  // A run loads 20 messages, asks the model, and stores two.
  sideBySide({ ...paced, level: 'turn', rate_per_s: 10, requests: turn() }),
  sideBySide({ ...paced, level: 'tools', rate_per_s: 5, requests: tools('tools') }),
  // turn with 200 tokens in place of 20, at the same pace. So the difference of the two is the cost of 180 tokens.
  sideBySide({ ...slow, level: 'tokens', requests: long('tokens', '@itl=10ms') }),
  // A model that takes its time: that is what a user feels.
  sideBySide({ ...slow, level: 'waits', requests: long('waits', '@ttft=300ms @itl=20ms') }),
  sideBySide({ ...paced, level: 'agents', rate_per_s: 5, requests: agents }),
  sideBySide({ ...paced, level: 'threads', rate_per_s: 50, requests: changes }),
  // This says what an event to a subscriber costs, and how much later it comes than to the client of the run.
  // All its VUs are needed, also where VU_DIVISOR divides them: the last one begins the run that the others follow.
  sideBySideUntil({
    level: 'fanout', vus: (subscribers + 1) * Number(__ENV.VU_DIVISOR || 1), ms: rounds * 5_000, count: rounds * (subscribers + 1), requests: fanout,
  }),
  warmUpInSlices(32, first),
  stress(4, 400),
  stress(16, 400),
  stress(32, 600),
);

export default load;
