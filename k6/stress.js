// stress: plateaus of 10, 100 and 200 VUs and back to 0, tokens 2 ms apart.
// The stub's pace allows 25 streams per second and VU, so at 200 VUs a small
// machine is past its limit: k6, the server and the stub fight for the cores.
import { load, quick, stream } from './lib/stream.js';
export { handleSummary } from './lib/stream.js';

const hold = quick ? '2s' : '20s';
const ramp = quick ? '1s' : '2s';

export const options = load({
  executor: 'ramping-vus',
  startVUs: 10,
  stages: [
    { target: 10, duration: hold },
    { target: 100, duration: ramp },
    { target: 100, duration: hold },
    { target: 200, duration: ramp },
    { target: 200, duration: hold },
    { target: 0, duration: quick ? '1s' : '6s' },
  ],
});

export default function () {
  stream('2ms'); // 20 tokens: 40 ms
}
