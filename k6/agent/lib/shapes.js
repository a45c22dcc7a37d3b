// Requests that several scenarios send. A run has an event for the user's message, each token, the stored answer and the end. A turn
// with tools has three for each call (started, finished, stored) and one for the stored turn.
import { called, runs } from './runs.js';

// long are runs of one turn with 200 tokens.
export const long = (of, pace) => runs({ of, script: `@tokens=200 ${pace}`, events: 203 });

export const turn = (of = 'turn') => runs({ of, script: '@tokens=20 @itl=10ms', events: 23 });

// tools are runs of three turns. Two of them call two tools each.
export const tools = (level) => runs({
  of: 'tools', script: '@turns=3 @tools=2 @tokens=20 @itl=10ms @delay=5ms', events: 37, gaps: level,
  before: called({ turns: 2, calls: 2, bytes: 100, delay_ms: 5 }),
});

// full are runs that fill the machine: two turns, the first with two tools.
export const full = (of) => runs({
  of, script: '@turns=2 @tools=2 @tokens=20 @itl=1ms', events: 30, before: called({ turns: 1, calls: 2, bytes: 100, delay_ms: 0 }),
});

export const warm = full('warm-up');
