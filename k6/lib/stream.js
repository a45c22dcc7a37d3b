// Streams: what scenarios send with k6/x/sse, which decides what is measured in a stream, and when
// a stream counts.
import sse from 'k6/x/sse';
import * as slices from './slices.js';

export { quick } from './slices.js';

// A level has, besides the fields in slices.js, the time between tokens (itl_ms), and the tokens
// of a stream, by default 20.

// sideBySide is a level that loads all targets at once for this many ms. Each VU takes a random
// pause before each stream, up to the time between two tokens, so that no target gets better
// instants than another.
export const sideBySide = (level) => slices.sideBySide({ pause_ms: level.itl_ms, ...streams(level) });

// inSlices is a level on which each target has the machine for a slice.
export const inSlices = (level) => slices.inSlices(streams(level));

const warm = { itl_ms: 2, requests: slices.quick ? 200 : 1000, ms: slices.quick ? 10_000 : 20_000 };
// VUs of a warm-up begin at once.
export const warmUpSideBySide = (vus) => slices.warmUpSideBySide({ ...streams({ ...warm, vus }), spread_ms: 0 });
export const warmUpInSlices = (vus) => slices.warmUpInSlices({ ...streams({ ...warm, vus }), spread_ms: 0 });

// streams adds what is sent. VUs begin within the duration of one stream.
function streams({ itl_ms, tokens = 20, ...level }) {
  return { ...level, spread_ms: tokens * itl_ms, shape: { tokens, timeout_ms: 20_000, bodies: bodies(itl_ms, tokens) } };
}

// bodies are the requests by target: for a server, or, for the stub, that of the OpenAI API.
function bodies(itl_ms, tokens) {
  return Object.fromEntries(slices.targets.map(({ name }) => {
    const message = `hello @tokens=${tokens} @itl=${itl_ms}ms @tally=${name}`;
    return [name, JSON.stringify(name === 'direct' ? { model: 'stub', messages: [{ role: 'user', content: message }], stream: true } : { message })];
  }));
}

let shapes;

// plan makes k6's options of lists of slices, which follow each other.
export function plan(...lists) {
  const made = slices.plan(sse, lists);
  shapes = made.shapes;
  return made.options;
}

// load loads all slices.
export function load() {
  sse.load(shapes);
}

export const handleSummary = () => slices.summary({ slices: sse.slices(), histograms: sse.histograms() });
