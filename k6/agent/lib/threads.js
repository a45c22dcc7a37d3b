// Requests that read and change threads. Six kinds take turns. No model is asked; direct has the stub's prepared answers.
import { prepared } from '../../lib/requests.js';
import { targets } from '../../lib/slices.js';
import { history, threads } from './runs.js';

const each = 200; // requests of a kind
const json = { 'Content-Type': 'application/json' };
const thread = (id, title = `thread ${id}`) => ({ id, title });
const read = threads.read[0];

// A kind has the threads from a number on, so that no other changes what it reads. seed.sql made them, those from 10,001 on
// without messages. Runs change messages only, so only threads whose messages are read have no run.
const kinds = [
  (i) => ({ method: 'POST', path: '/threads', headers: json, body: JSON.stringify({ title: `new ${i}` }), answer: { status: 201, json: { title: `new ${i}` } } }),
  (i) => ({ path: `/threads?limit=20&before=${1_001 + i}`, answer: { json: { threads: Array.from({ length: 20 }, (_, n) => thread(1_000 + i - n)) } } }),
  (i) => ({ path: `/threads/${2_001 + i}`, answer: { json: thread(2_001 + i) } }),
  (i) => ({ method: 'PATCH', path: `/threads/${3_001 + i}`, headers: json, body: JSON.stringify({ title: `renamed ${i}` }), answer: { json: thread(3_001 + i, `renamed ${i}`) } }),
  (i) => ({ path: `/threads/${read + i}/messages`, answer: { json: { messages: history(read + i).map((message) => ({ message })) } } }),
  (i) => ({ method: 'DELETE', path: `/threads/${10_001 + i}`, answer: { status: 204, body: '' } }),
];

// ring has `each` requests of each kind, in turn.
function ring(those, from = 0) {
  return Array.from({ length: each }, (_, i) => those.map((kind) => kind(from + i))).flat();
}

const requests = ring(kinds);
const warm = ring([kinds[1], kinds[2], kinds[4]], each);
const all = [...requests, ...warm];

// The stub answers direct with what is expected of servers.
function rings(those, first) {
  const direct = those.map(({ answer, ...request }, i) => ({ ...request, answer, path: `/answers/${first + i}` }));
  return Object.fromEntries(targets.map(({ name }) => [name, { requests: name === 'direct' ? direct : those, once: true }]));
}

const answers = all.map(({ answer: { status = 200, json: value } }) => ({ status, body: value ? JSON.stringify(value) : '' }));

export const changes = prepared(rings(requests, 0), answers);
const reads = rings(warm, requests.length);

// withReads are rings with such a read after every fourth request.
export const withReads = (of) => Object.fromEntries(Object.entries(of).map(([name, { requests: runs, once }]) => [name, {
  once, requests: runs.flatMap((run, i) => (i % 4 === 3 ? [run, reads[name].requests[(i >> 2) % warm.length]] : [run])),
}]));
