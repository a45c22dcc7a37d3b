// What every scenario shares: the turns that it is made of, one streamed
// request, the warm-up, and the form of the summary. What is measured of a
// stream, and when it counts, is k6/x/sse's.
//
// The environment gives, as JSON, TARGETS ([{name, url}]), WATCHED (pids by
// name) and CORES (numbers of those that the machine's time is read of); SEED
// (of the order of turns), SUMMARY (the file to write), and, when wanted,
// QUICK=1 (a shorter load), LOAD_MS (of each plateau side by side) and SLICE_MS
// (of each turn where targets take turns).
import { randomSeed, sleep } from 'k6';
import sse from 'k6/x/sse';

const warmUp = 'warm-up';
const targets = JSON.parse(__ENV.TARGETS);
const everyone = targets.map((_, i) => i);

export const quick = Boolean(__ENV.QUICK);

// A plateau is {plateau, vus, gap_ms, tokens, ...}: its name, the VUs of each target,
// the time between tokens, and, if not 20, how many a stream has. A scenario is a
// warm-up and plateaus, which plan makes k6's options of.

// sideBySide is a plateau that all targets have at once, for so many ms. No target
// has a better instant for its tokens than another, since each VU pauses by lot
// before each stream, up to the time between two tokens.
export function sideBySide({ ms, ...plateau }) {
  return [turnOf(everyone, { ...plateau, pause_ms: plateau.gap_ms, ms: Number(__ENV.LOAD_MS || ms) })];
}

// byTurns is a plateau on which each target has the machine for a slice: whole
// cycles, as many as give each target its time, and in each cycle every target
// has one turn, in random order.
export function byTurns({ slice_ms, each_ms, ...plateau }) {
  const ms = Number(__ENV.SLICE_MS || slice_ms);
  const cycles = Math.max(1, Math.round(each_ms / ms));
  return Array.from({ length: cycles }, shuffled).flat().map((i) => turnOf([i], { ...plateau, ms }));
}

// The warm-up is counted in requests and not in seconds, so that a slow server
// is as warm as a fast one; one that hardly answers is not waited for.
const warm = { plateau: warmUp, gap_ms: 2, streams: quick ? 200 : 1000, ms: quick ? 10_000 : 20_000 };

export const warmUpSideBySide = (vus) => [turnOf(everyone, { ...warm, vus })];
export const warmUpByTurns = (vus) => shuffled().map((i) => turnOf([i], { ...warm, vus }));

const shapes = {}; // of a stream, by plateau

function turnOf(those, { gap_ms, tokens = 20, ...plateau }) {
  shapes[plateau.plateau] = { gap_ms, tokens };
  // VUs begin within the time of one stream.
  const spread_ms = plateau.plateau === warmUp ? 0 : Math.min(plateau.ms, tokens * gap_ms);
  return { ...plateau, targets: those, spread_ms };
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

// plan makes k6's options for lists of turns, which follow each other.
export function plan(...lists) {
  const turns = lists.flat();
  const [watched, cores] = [JSON.parse(__ENV.WATCHED || '{}'), JSON.parse(__ENV.CORES || '[]')];
  sse.schedule(JSON.stringify({ targets, watched, cores, turns }));
  const load = turns.filter((t) => t.plateau !== warmUp);
  const ms = load.reduce((sum, t) => sum + t.ms, 0);
  return {
    scenarios: {
      load: {
        // One iteration for each VU: a VU's turns are within it.
        executor: 'per-vu-iterations',
        vus: Math.max(...turns.map((t) => t.vus * t.targets.length)),
        iterations: 1,
        // Streams end the load, or their timeouts; this is for when neither does.
        maxDuration: `${Math.ceil(ms / 1000) + 900}s`,
        // For k6 inspect: what a script plans.
        env: { PLANNED_MS: String(ms), PLATEAUS: JSON.stringify([...new Set(load.map((t) => t.plateau))]) },
      },
    },
  };
}

// load is what a VU does: stream after stream, whenever it has a turn.
export function load() {
  let turn = null, body, params;
  for (let next; (next = sse.turn()) !== null;) {
    if (next !== turn) { // the same object in all of a turn
      turn = next;
      body = request(turn);
      // No samples: k6 would keep those of its Trends until the end.
      params = { target: turn.target, plateau: turn.plateau, slice: turn.slice, tokens: shapes[turn.plateau].tokens, timeout_ms: 20_000, samples: false };
    }
    if (!sse.post(turn.url, body, params).ok) {
      sleep(0.1); // a target that refuses must not take the cores of those beside it
    }
  }
}

// request is the body: a server's, or, for the stub itself, that of the OpenAI API.
function request({ target, plateau }) {
  const { gap_ms, tokens } = shapes[plateau];
  const message = `hello @tokens=${tokens} @gap=${gap_ms}ms @tally=${target}`;
  return JSON.stringify(target === 'direct' ? { model: 'stub', messages: [{ role: 'user', content: message }], stream: true } : { message });
}

export function handleSummary() {
  return { [__ENV.SUMMARY]: JSON.stringify({ turns: sse.turns(), histograms: sse.histograms() }) + '\n' };
}
