// pair: baseline, steady and stress in one life of the processes, for `bench
// pair`, which loads fresh processes in each of up to 12 rounds. A round of three
// targets, base, head and direct, has 13 s of load: 12 of them have less than three
// minutes, and what differs from process to process shows, which longer rounds
// would hide. So each plateau is as short as it can be: four streams after
// another of each VU in baseline, 3 s in steady, two slices for each target under
// stress. stress-10 is left out, which tells no more than steady does.
// Plateaus are called as the records of those scenarios are.
import { byTurns, load, plan, quick, sideBySide, warmUpSideBySide } from './lib/stream.js';
export { handleSummary } from './lib/stream.js';

const stress = { gap_ms: 1, slice_ms: 500, each_ms: quick ? 500 : 1_000 };

export const options = plan(
  warmUpSideBySide(50),
  sideBySide({ plateau: 'baseline', vus: 10, gap_ms: 50, ms: quick ? 3_000 : 4_000 }),
  sideBySide({ plateau: 'steady', vus: 30, gap_ms: 10, ms: quick ? 1_000 : 3_000 }),
  byTurns({ ...stress, plateau: 'stress-100', vus: 100 }),
  byTurns({ ...stress, plateau: 'stress-200', vus: 200 }),
);

export default load;
