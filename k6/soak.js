// soak: the load of steady for minutes, to see whether memory grows.
import { load, paced, quick } from './lib/stream.js';
export { handleSummary } from './lib/stream.js';

export const options = paced(30, quick ? 20_000 : 600_000);

export default function () {
  load('10ms');
}
