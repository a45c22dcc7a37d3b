// pair: baseline, steady and stress in one life of the processes, for `bench
// pair`, which loads fresh processes in each of up to 12 rounds. What differs from
// process to process is only seen by many rounds, so each is as short as it can
// be: three targets, base, head and direct, have 15 s of load, to the end of the
// last stream, and 12 rounds three minutes. Baseline has four times the VUs of its
// scenario and a fifth of the tokens, since a stream has one TTFT, and the p95 of
// few scatters much; the cores are nearly idle all the same. Steady has 150 streams a
// second for each target, which tell the cost of one within two per cent. Stress
// has two slices for each target on the plateaus that fill the machine, or nearly.
// Plateaus are called as the records of those scenarios are.
import { byTurns, load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

const stress = { gap_ms: 1, slice_ms: 400, each_ms: quick ? 400 : 800 };

export const options = plan(
  warmUpSideBySide(50),
  sideBySide({ plateau: 'baseline', vus: 40, gap_ms: 50, tokens: 4, ms: quick ? 3_000 : 5_600 }),
  sideBySide({ plateau: 'steady', vus: 30, gap_ms: 10, ms: quick ? 1_000 : 2_400 }),
  byTurns({ ...stress, plateau: 'stress-100', vus: 100 }),
  byTurns({ ...stress, plateau: 'stress-200', vus: 200 }),
);

export default load;
