// What every scenario shares: the slices that it is made of, one streamed
// request, the warm-up, and the form of the summary. What is measured of a
// stream, and when it counts, is k6/x/sse's.
//
// The environment gives, as JSON, TARGETS ([{name, url}]), WATCHED (pids by
// name) and CORES (numbers of those that the machine's time is read of); SEED
// (of the order of slices), SUMMARY (the file to write), and, when wanted,
// QUICK=1 (a shorter load), LOAD_MS (of each level side by side) and SLICE_MS
// (of each slice where targets take slices).
import { randomSeed, sleep } from 'k6';
import sse from 'k6/x/sse';

const warmUp = 'warm-up';
const targets = JSON.parse(__ENV.TARGETS);
const everyone = targets.map((_, i) => i);

export const quick = Boolean(__ENV.QUICK);

// A level is {level, vus, itl_ms, tokens, ...}: its name, the VUs of each target,
// the time between tokens, and, if not 20, how many a stream has. A scenario is a
// warm-up and levels, which plan makes k6's options of.

// sideBySide is a level that all targets have at once, for so many ms. No target
// has a better instant for its tokens than another, since each VU pauses by lot
// before each stream, up to the time between two tokens.
export function sideBySide({ ms, ...level }) {
  return [sliceOf(everyone, { ...level, pause_ms: level.itl_ms, ms: Number(__ENV.LOAD_MS || ms) })];
}

// inSlices is a level on which each target has the machine for a slice: whole
// cycles, as many as give each target its time, and in each cycle every target
// has one slice, in random order.
export function inSlices({ slice_ms, each_ms, ...level }) {
  const ms = Number(__ENV.SLICE_MS || slice_ms);
  const cycles = Math.max(1, Math.round(each_ms / ms));
  return Array.from({ length: cycles }, shuffled).flat().map((i) => sliceOf([i], { ...level, ms }));
}

// The warm-up is counted in requests and not in seconds, so that a slow server
// is as warm as a fast one; one that hardly answers is not waited for.
const warm = { level: warmUp, itl_ms: 2, streams: quick ? 200 : 1000, ms: quick ? 10_000 : 20_000 };

export const warmUpSideBySide = (vus) => [sliceOf(everyone, { ...warm, vus })];
export const warmUpInSlices = (vus) => shuffled().map((i) => sliceOf([i], { ...warm, vus }));

const shapes = {}; // of a stream, by level

function sliceOf(those, { itl_ms, tokens = 20, ...level }) {
  shapes[level.level] = { itl_ms, tokens };
  // VUs begin within the time of one stream.
  const spread_ms = level.level === warmUp ? 0 : Math.min(level.ms, tokens * itl_ms);
  return { ...level, targets: those, spread_ms };
}

// All VUs make the same schedule, since all have the same seed.
randomSeed(Number(__ENV.SEED || 1));

function shuffled() {
  const order = [...everyone];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

// plan makes k6's options for lists of slices, which follow each other.
export function plan(...lists) {
  const slices = lists.flat();
  const [watched, cores] = [JSON.parse(__ENV.WATCHED || '{}'), JSON.parse(__ENV.CORES || '[]')];
  sse.schedule(JSON.stringify({ targets, watched, cores, slices }));
  const load = slices.filter((t) => t.level !== warmUp);
  const ms = load.reduce((sum, t) => sum + t.ms, 0);
  return {
    scenarios: {
      load: {
        // One iteration for each VU: a VU's slices are within it.
        executor: 'per-vu-iterations',
        vus: Math.max(...slices.map((t) => t.vus * t.targets.length)),
        iterations: 1,
        // Streams end the load, or their timeouts; this is for when neither does.
        maxDuration: `${Math.ceil(ms / 1000) + 900}s`,
        // For k6 inspect: what a script plans.
        env: { PLANNED_MS: String(ms), LEVELS: JSON.stringify([...new Set(load.map((t) => t.level))]) },
      },
    },
  };
}

// load is what a VU does: stream after stream, whenever it has a slice.
export function load() {
  let slice = null, body, params;
  for (let next; (next = sse.slice()) !== null;) {
    if (next !== slice) { // the same object in all of a slice
      slice = next;
      body = request(slice);
      // No samples: k6 would keep those of its Trends until the end.
      params = { target: slice.target, level: slice.level, slice: slice.slice, tokens: shapes[slice.level].tokens, timeout_ms: 20_000, samples: false };
    }
    if (!sse.post(slice.url, body, params).ok) {
      sleep(0.1); // a target that refuses must not take the cores of those beside it
    }
  }
}

// request is the body: a server's, or, for the stub itself, that of the OpenAI API.
function request({ target, level }) {
  const { itl_ms, tokens } = shapes[level];
  const message = `hello @tokens=${tokens} @itl=${itl_ms}ms @tally=${target}`;
  return JSON.stringify(target === 'direct' ? { model: 'stub', messages: [{ role: 'user', content: message }], stream: true } : { message });
}

export function handleSummary() {
  return { [__ENV.SUMMARY]: JSON.stringify({ slices: sse.slices(), histograms: sse.histograms() }) + '\n' };
}
