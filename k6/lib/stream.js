// What every scenario shares: its slices, the request, the warm-up, and the form of the summary.
// k6/x/sse loads the slices. It decides what is measured in a stream, and when a stream counts.
//
// The environment gives TARGETS_FILE (a JSON file: targets as [{name, url}], and watched, pids by
// name), CORES (cores whose time is read, as JSON), SEED (for the order of slices), and SUMMARY
// (the file to write). Everybody can read a command line, and only our user reads that file.
// Optional are QUICK=1 (a shorter load), LOAD_MS (for each level side by side), SLICE_MS
// (for each slice) and VU_DIVISOR (a slow server gets VUs divided by it, side by side).
import { randomSeed } from 'k6';
import sse from 'k6/x/sse';

const warmUp = 'warm-up';
const { targets, watched } = JSON.parse(open(__ENV.TARGETS_FILE));
const everyone = targets.map((_, i) => i);

export const quick = Boolean(__ENV.QUICK);

// A level is {level, vus, itl_ms, tokens, ...}: its name, the VUs of each target, the time
// between tokens, and the tokens of a stream, by default 20. A scenario is a warm-up and
// levels. plan turns them into k6's options.

// sideBySide is a level that loads all targets at once for this many ms. Each VU takes a random
// pause before each stream, up to the time between two tokens, so that no target gets better
// instants than another.
export function sideBySide({ ms, vus, ...level }) {
  const some = Math.max(1, Math.round(vus / Number(__ENV.VU_DIVISOR || 1)));
  return [sliceOf(everyone, { ...level, vus: some, pause_ms: level.itl_ms, ms: Number(__ENV.LOAD_MS || ms) })];
}

// inSlices is a level on which each target has the machine for a slice. It has whole cycles,
// enough to give each target its time. In each cycle every target has one slice, in random
// order.
export function inSlices({ slice_ms, each_ms, ...level }) {
  const ms = Number(__ENV.SLICE_MS || slice_ms);
  const cycles = Math.max(1, Math.round(each_ms / ms));
  return Array.from({ length: cycles }, shuffled).flat().map((i) => sliceOf([i], { ...level, ms }));
}

// The warm-up counts requests, so that a slow server gets as warm as a fast one. It does not
// wait for a server that hardly answers.
const warm = { level: warmUp, itl_ms: 2, streams: quick ? 200 : 1000, ms: quick ? 10_000 : 20_000 };

export const warmUpSideBySide = (vus) => [sliceOf(everyone, { ...warm, vus })];
export const warmUpInSlices = (vus) => shuffled().map((i) => sliceOf([i], { ...warm, vus }));

const shapes = {}; // streams, by level, as sse.load wants them

function sliceOf(those, { itl_ms, tokens = 20, ...level }) {
  shapes[level.level] = { tokens, timeout_ms: 20_000, bodies: bodies(itl_ms, tokens) };
  // VUs begin within the duration of one stream.
  const spread_ms = level.level === warmUp ? 0 : Math.min(level.ms, tokens * itl_ms);
  return { ...level, targets: those, spread_ms };
}

// bodies are the requests by target: for a server, or, for the stub, that of the OpenAI API.
function bodies(itl_ms, tokens) {
  return Object.fromEntries(targets.map(({ name }) => {
    const message = `hello @tokens=${tokens} @itl=${itl_ms}ms @tally=${name}`;
    return [name, JSON.stringify(name === 'direct' ? { model: 'stub', messages: [{ role: 'user', content: message }], stream: true } : { message })];
  }));
}

// k6 runs this file several times. The same seed makes the same schedule.
randomSeed(Number(__ENV.SEED || 1));

function shuffled() {
  const order = [...everyone];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

// plan turns lists of slices, which follow each other, into k6's options.
export function plan(...lists) {
  const slices = lists.flat();
  const cores = JSON.parse(__ENV.CORES || '[]');
  sse.schedule({ targets, watched, cores, slices });
  const load = slices.filter((t) => t.level !== warmUp);
  const ms = load.reduce((sum, t) => sum + t.ms, 0);
  return {
    scenarios: {
      load: {
        // One VU of k6 loads all slices. The VUs of a slice are those of k6/x/sse.
        executor: 'per-vu-iterations',
        vus: 1,
        iterations: 1,
        // The load ends with the streams or their timeouts. This limit applies when neither
        // happens.
        maxDuration: `${Math.ceil(ms / 1000) + 900}s`,
        // The plan of a script, for k6 inspect.
        env: { PLANNED_MS: String(ms), LEVELS: JSON.stringify([...new Set(load.map((t) => t.level))]) },
      },
    },
  };
}

// load loads all slices.
export function load() {
  sse.load(shapes);
}

export function handleSummary() {
  return { [__ENV.SUMMARY]: JSON.stringify({ slices: sse.slices(), histograms: sse.histograms() }) + '\n' };
}
