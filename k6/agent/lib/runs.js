// Runs of agents. Each has a thread of its own with 20 messages, which seed.sql made. direct asks the stub for the last
// turn of the same run, with all messages before it.
import crypto from 'k6/crypto';
import { targets } from '../../lib/slices.js';

// Threads of each part of a load: the first, and how many. No part uses the threads of another. Runs leave those alone
// whose messages are read. A ranking has two warm-ups of up to 2,000 requests, a fifth of them reads.
export const threads = {
  turn: [1, 400], tools: [401, 400], agents: [801, 200], tokens: [1_001, 300], waits: [1_301, 300], 4: [1_601, 500], 16: [2_101, 1_400],
  32: [3_501, 2_500], read: [6_001, 400], 'warm-up': [6_401, 3_600], fanout: [10_501, 100], soak: [1, 10_000],
};

const key = (text) => crypto.sha256(text, 'hex').slice(0, 12);
const words = (of, count) => Array.from({ length: count }, (_, i) => `${of}.${i} `).join('');
const user = (content) => ({ role: 'user', content });

// history are the messages of a thread of seed.sql.
export function history(thread) {
  return Array.from({ length: 10 }, (_, i) => `Question ${i + 1} of thread ${thread}. @tokens=20`)
    .flatMap((text) => [user(text), { role: 'assistant', content: words(key(text), 20) }]);
}

const tools = ['lookup', 'delegate'].map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } }));

const post = (path, body, stream) => ({
  method: 'POST', path, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), answer: { stream },
});

// runs are requests that begin runs, as rings by target. of names their threads. Each run of a server has this many events.
// gaps is the level under which the stub counts the time between turns.
export function runs({ of, script, events, before = () => [], gaps }) {
  const [first, count] = threads[of];
  const some = (n, make) => Array.from({ length: Math.min(n, count) }, (_, i) => make(first + i));
  const text = (thread, tally = '') => `Run on thread ${thread}. ${script}${tally}`;
  const toServer = (name) => some(count, (thread) => post(
    `/threads/${thread}/messages`, { content: text(thread, gaps === undefined ? '' : ` @tally=${name}_${gaps}`) }, { last: '{}', count: 'stored', token: 'token', events },
  ));
  // The stub keeps nothing, so it may be asked again.
  const toStub = () => some(100, (thread) => post('/agent/v1/chat/completions', {
    model: 'stub', stream: true, tools, messages: [...history(thread), user(text(thread)), ...before(key(text(thread)))],
  }, { last: '[DONE]' }));
  return Object.fromEntries(targets.map(({ name }) => [name, { requests: name === 'direct' ? toStub() : toServer(name), once: name !== 'direct' }]));
}

// asked is a turn that calls tools, and what they answer.
const asked = (calls) => [
  { role: 'assistant', content: null, tool_calls: calls.map(({ id, name, of }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(of) } })) },
  ...calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
];

// called are the messages of turns that call lookup, as the model and the tool say them (stub/agent/model.go).
export const called = ({ turns, calls, bytes, delay_ms }) => (run) => Array.from({ length: turns }, (_, i) => i + 1)
  .flatMap((turn) => asked(Array.from({ length: calls }, (_, call) => ({
    id: `call_${run}_${turn}_${call}`, name: 'lookup', of: { run, call, turn, bytes, delay_ms },
    result: JSON.stringify({ result: words(`${run}-${turn}-${call}`, bytes).slice(0, bytes) }),
  }))));

// delegated are the messages of a turn that calls delegate.
export const delegated = ({ agents, tokens, itl, bytes }) => (run) => asked(Array.from({ length: agents }, (_, i) => ({
  id: `call_${run}_1_${i}`, name: 'delegate', result: words(`${run}-${i}`, tokens),
  of: { task: `@id=${run}-${i} @turns=2 @tools=1 @tokens=${tokens} @itl=${itl} @delay=0s @bytes=${bytes}` },
})));
