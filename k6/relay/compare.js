// comparison: baseline, steady and stress in one k6 run, for `bench compare`, which starts
// fresh processes in each round. Processes of one program differ. Therefore many
// short rounds show more than a few long ones. Base, head and direct together have 16 s of
// load up to the end of the last stream. Baseline has four
// times the VUs of its scenario and a fifth of the tokens: a stream has one TTFT, and the p95
// of a few scatters widely. The cores are still nearly idle. Steady has 150 streams a second
// for each target, which show the cost of one within two per cent. Stress has slices on the
// levels that fill the machine, or nearly do. Level 200 has the most time, since its throughput
// scatters most. Slices are short, and direct has 0.4 s of each level. README.md of
// k6/shapes has the trials of this shape. Records have the names of those scenarios.
import { inSlices, load, plan, quick, sideBySide, warmUpSideBySide } from '../lib/stream.js';
export { handleSummary } from '../lib/stream.js';

const at100 = { level: 'stress-100', vus: 100, itl_ms: 1, slice_ms: 110, each_ms: quick ? 440 : 880, direct_ms: 440 };
const at200 = { level: 'stress-200', vus: 200, itl_ms: 1, slice_ms: 110, each_ms: quick ? 880 : 2_200, direct_ms: 440 };

export const options = plan(
  warmUpSideBySide(50),
  sideBySide({ level: 'baseline', vus: 40, itl_ms: 50, tokens: 4, ms: quick ? 2_500 : 3_600 }),
  sideBySide({ level: 'steady', vus: 30, itl_ms: 10, ms: quick ? 1_000 : 2_400 }),
  inSlices(at100),
  inSlices(at200),
);

export default load;
