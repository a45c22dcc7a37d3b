// fanout: a run that 50 subscribers follow, again and again, all targets side by side. The run begins when all of them wait. It
// says what an event to a subscriber costs, and how much later it comes than to the client of the run.
import { load, plan, quick, sideBySideUntil, warmUpSideBySide } from '../lib/requests.js';
import { targets } from '../lib/slices.js';
import { runs, threads } from './lib/runs.js';
import { warm } from './lib/shapes.js';
export { handleSummary } from '../lib/requests.js';

const subscribers = 50;
const rounds = quick ? 2 : 8;
const events = 23;
const ring = runs({ of: 'fanout', script: '@tokens=20 @itl=150ms', events });

// followed has, for each round, the requests of the subscribers and that of the run.
const followed = (all) => all.slice(0, rounds).flatMap((run, i) => {
  const follow = { path: `/threads/${threads.fanout[0] + i}/events`, answer: { stream: { last: '{}', events, follows: true } } };
  return [...Array(subscribers).fill(follow), { ...run, answer: { stream: { ...run.answer.stream, followers: subscribers } } }];
});

// The stub has no subscribers: direct asks it for as many streams.
const requests = Object.fromEntries(targets.map(({ name }) => [
  name, name === 'direct' ? ring.direct : { requests: followed(ring[name].requests), once: true },
]));

export const options = plan(
  warmUpSideBySide(4, warm),
  sideBySideUntil({ level: '', vus: subscribers + 1, ms: rounds * 5_000, count: rounds * (subscribers + 1), requests }),
);

export default load;
