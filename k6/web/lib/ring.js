// The requests of the workload web, with random inputs and the answers that they want. A server
// cannot know which comes next, so a prepared answer does not help it. Each kind has a name, and a latency of its own.
import { answered } from '../../lib/requests.js';

const each = 64; // requests of a kind

const below = (n) => Math.floor(Math.random() * n);
const letters = 'abcdefghijklmnopqrstuvwxyz';
const word = (length) => Array.from({ length }, () => letters[below(26)]).join('');
const many = (name, make) => answered(Array.from({ length: each }, () => ({ name, ...make() })));

const text = ['text/plain', 'text/plain; charset=utf-8', 'text/plain;charset=utf-8', 'text/plain; charset=UTF-8', 'text/plain;charset=UTF-8'];
const json = ['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8'];

export const ping = () => many('GET /', () => ({ path: '/', answer: { headers: { 'content-type': text }, body: 'hi' } }));

// The name follows or precedes another parameter, or stands alone.
export const query = () => many('GET /id/ID', () => {
  const [id, name, other] = [1 + below(1_000_000), word(3 + below(8)), `x=${below(1000)}`];
  const search = [`name=${name}`, `name=${name}&${other}`, `${other}&name=${name}`][below(3)];
  return { path: `/id/${id}?${search}`, answer: { headers: { 'content-type': text, 'x-powered-by': 'benchmark' }, body: `${id} ${name}` } };
});

// Keys ascend and all is ASCII, since some libraries sort keys and escape the rest. Numbers are whole, since Boost.JSON writes
// 37.5 as 3.75E1. Spaces show that the server writes JSON of its own. Some libraries end it with a newline.
export const body = () => many('POST /json', () => {
  const value = {
    active: below(2) === 1, id: below(1_000_000), items: Array.from({ length: 1 + below(4) }, () => ({ count: below(100), name: word(6) })),
    name: word(10), score: below(1000),
  };
  const whole = JSON.stringify(value);
  return {
    method: 'POST', path: '/json', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value, null, 1),
    answer: { headers: { 'content-type': json }, body: [whole, `${whole}\n`] },
  };
});

// The file has the same content in each server's directory.
const data = open('data.json');
export const disk = () => many('GET /data', () => ({ path: '/data', answer: { headers: { 'content-type': json }, body: data } }));

// All four kinds take turns.
export function mixed() {
  const kinds = [ping(), query(), body(), disk()];
  return kinds[0].flatMap((_, i) => kinds.map((kind) => kind[i]));
}
