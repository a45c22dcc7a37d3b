// baseline: 10 VUs, each one stream after the other, at the pace of a model
// that writes 20 tokens per second. The cores are nearly idle; what differs
// between servers is delay, CPU time per stream and memory. Throughput does
// not: the stub's pace caps it at 10 streams per second.
import { load, quick, stream } from './lib/stream.js';
export { handleSummary } from './lib/stream.js';

export const options = load({
  executor: 'constant-vus',
  vus: 10,
  duration: quick ? '5s' : '60s',
});

export default function () {
  stream('50ms'); // 20 tokens: 1 s
}
