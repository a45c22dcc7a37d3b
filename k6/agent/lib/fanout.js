// A run that 50 subscribers follow, again and again. It begins when all of them wait.
import { quick } from '../../lib/requests.js';
import { targets } from '../../lib/slices.js';
import { runs, threads } from './runs.js';

export const subscribers = 50;
export const rounds = quick ? 2 : 4;
const events = 23;
const ring = runs({ of: 'fanout', script: '@tokens=20 @itl=150ms', events });

// followed has, for each round, the requests of the subscribers and that of the run.
const followed = (all) => all.slice(0, rounds).flatMap((run, i) => {
  const follow = { path: `/threads/${threads.fanout[0] + i}/events`, answer: { stream: { last: '{}', events, follows: true } } };
  return [...Array(subscribers).fill(follow), { ...run, answer: { stream: { ...run.answer.stream, followers: subscribers } } }];
});

// The stub has no subscribers: direct asks it for as many streams.
export const fanout = Object.fromEntries(targets.map(({ name }) => [
  name, name === 'direct' ? ring.direct : { requests: followed(ring[name].requests), once: true },
]));
