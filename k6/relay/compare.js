// comparison: baseline, steady and stress in one life of the processes, for `bench
// comparison`, which loads fresh processes in each of up to 12 rounds. What differs from
// process to process is only seen by many rounds, so each is as short as it can
// be: three targets, base, head and direct, have 15 s of load, to the end of the
// last stream, and 12 rounds three minutes. Baseline has four times the VUs of its
// scenario and a fifth of the tokens, since a stream has one TTFT, and the p95 of
// few scatters much; the cores are nearly idle all the same. Steady has 150 streams a
// second for each target, which tell the cost of one within two per cent. Stress
// has two slices for each target on the levels that fill the machine, or nearly.
// Levels are called as the records of those scenarios are.
import { inSlices, load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

const stress = { itl_ms: 1, slice_ms: 400, each_ms: quick ? 400 : 800 };

export const options = plan(
  warmUpSideBySide(50),
  sideBySide({ level: 'baseline', vus: 40, itl_ms: 50, tokens: 4, ms: quick ? 3_000 : 5_600 }),
  sideBySide({ level: 'steady', vus: 30, itl_ms: 10, ms: quick ? 1_000 : 2_400 }),
  inSlices({ ...stress, level: 'stress-100', vus: 100 }),
  inSlices({ ...stress, level: 'stress-200', vus: 200 }),
);

export default load;
