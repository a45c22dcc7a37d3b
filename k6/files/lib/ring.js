// The requests of the workload files: names of the stub's files, with random seeds, and every byte
// of their content.
import { text } from './content.js';

const seed = () => 1 + Math.floor(Math.random() * 0xfffffffe);

const ring = (size, count) => Array.from({ length: count }, () => {
  const of = seed();
  const headers = { 'content-type': 'application/octet-stream' };
  return { path: `/files/${size}k-${of}`, answer: { headers, body: text(size * 1000, of) } };
});

export const small = ring(8, 64);
export const large = ring(200, 16);
