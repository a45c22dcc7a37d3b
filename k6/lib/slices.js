// What all scenarios share: targets, slices, the warm-up, and k6's options. stream.js and
// requests.js add what is sent.
//
// The environment gives TARGETS_FILE (a JSON file: targets as [{name, url}], and watched, pids by
// name), CORES (cores whose time is read, as JSON), SEED (for all that is random), and SUMMARY
// (the file to write). Everybody can read a command line, and only our user reads that file.
// Optional are QUICK=1 (a shorter load), LOAD_MS (for each level side by side), SLICE_MS
// (for each slice) and VU_DIVISOR (a slow server gets VUs and a rate divided by it, side by side), and
// SCENARIOS (names, separated by commas: the levels of others are left out).
// With several instances of k6, INSTANCES is their number, START_AT the begin of the load (ms since
// 1970), and DRAIN_MS the time that each slice has for its last requests.
import { randomSeed } from 'k6';

const warmUp = 'warm-up';
const given = JSON.parse(open(__ENV.TARGETS_FILE));
export const { targets } = given;
const everyone = targets.map((_, i) => i);

export const quick = Boolean(__ENV.QUICK);

// k6 runs a script several times. The same seed makes the same schedule.
randomSeed(Number(__ENV.SEED || 1));

// A level is {level, vus, ms, shape, ...}: its name, the VUs of each target, its time, what is sent,
// and other fields of a slice. A script has warm-ups and levels. plan turns them into k6's options.

// sideBySide is a level that loads all targets at once.
export function sideBySide({ vus, ms, rate_per_s, ...level }) {
  const divisor = Number(__ENV.VU_DIVISOR || 1);
  const paced = rate_per_s ? { rate_per_s: rate_per_s / divisor } : {};
  return [sliceOf(everyone, { ...level, ...paced, vus: Math.max(1, Math.round(vus / divisor)), ms: Number(__ENV.LOAD_MS || ms) })];
}

// inSlices is a level on which each target has the machine for a slice. It has whole cycles,
// enough to give each target its time. In each cycle every target has one slice, in random
// order. direct may have less time than the others, and then has no slice in the last cycles.
// Cycles that others disturb are loaded again, in up to repeat_ms more for each target.
export function inSlices({ slice_ms, each_ms, direct_ms = each_ms, repeat_ms = 0, ...level }) {
  const ms = Number(__ENV.SLICE_MS || slice_ms);
  const cycles = (time_ms) => Math.max(1, Math.round(time_ms / ms));
  const inCycle = (i, cycle) => targets[i].name !== 'direct' || cycle <= cycles(direct_ms);
  const repeats = Math.min(Math.round(repeat_ms / ms), cycles(each_ms));
  return Array.from({ length: cycles(each_ms) }, (_, n) => n + 1).flatMap((cycle) => shuffled()
    .filter((i) => inCycle(i, cycle)).map((i) => sliceOf([i], { ...level, ms, cycle, repeats })));
}

// A warm-up counts requests, so that a slow server gets as warm as a fast one. It does not
// wait for a server that hardly answers.
export const warmUpSideBySide = (level) => [sliceOf(everyone, { ...level, level: warmUp })];
export const warmUpInSlices = (level) => shuffled().map((i) => sliceOf([i], { ...level, level: warmUp }));

const sliceOf = (those, { spread_ms = 0, ...level }) => ({ ...level, targets: those, spread_ms: Math.min(level.ms, spread_ms) });

function shuffled() {
  const order = [...everyone];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

// asked are the lists with the levels of SCENARIOS, and the warm-ups before them. A warm-up is for the levels up to the
// next one. Level stress-100 is of scenario stress. Rankings have no level without a name.
function asked(lists) {
  const names = __ENV.SCENARIOS?.split(',');
  const named = ({ level }) => !names || level === '' || level === warmUp || names.includes(level.split('-')[0]);
  return lists.map((list) => list.filter(named)).filter((list) => list.length > 0)
    .filter((list, i, all) => list[0].level !== warmUp || (all[i + 1] ?? list)[0].level !== warmUp);
}

// plan turns lists of slices, which follow each other, into a schedule of a k6 module. It returns
// k6's options, and the shapes by level.
export function plan(module, lists) {
  const shapes = {};
  const slices = asked(lists).flat().map(({ shape, ...slice }) => {
    shapes[slice.level] = shape;
    return slice;
  });
  const instances = JSON.parse(__ENV.INSTANCES || '1');
  const shared = { start_at_ms: JSON.parse(__ENV.START_AT || '0'), drain_ms: JSON.parse(__ENV.DRAIN_MS || '1000') };
  module.schedule({ targets, watched: given.watched, cores: JSON.parse(__ENV.CORES || '[]'), slices, ...shared });
  const load = slices.filter((t) => t.level !== warmUp);
  const ms = load.reduce((sum, t) => sum + t.ms, 0);
  const allMS = slices.reduce((sum, t) => sum + t.ms + shared.drain_ms, 0);
  const options = {
    scenarios: {
      load: {
        // One VU of k6 loads all slices. The VUs of a slice are those of the module. k6 divides its
        // own VUs among instances, so each has one.
        executor: 'per-vu-iterations',
        vus: instances,
        iterations: 1,
        // The load ends with the last requests or their timeouts. This limit applies when neither
        // happens. Slices of several instances take all their time, and repeats at most as much again.
        maxDuration: `${Math.ceil((instances > 1 || shared.start_at_ms ? allMS : 2 * ms) / 1000) + 900}s`,
        // The plan of a script, for k6 inspect.
        env: { PLANNED_MS: String(ms), LEVELS: JSON.stringify([...new Set(load.map((t) => t.level))]) },
      },
    },
  };
  return { options, shapes };
}

// summary is the file that a scenario writes at its end.
export const summary = (parts) => ({ [__ENV.SUMMARY]: JSON.stringify(parts) + '\n' });
