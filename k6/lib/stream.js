// What every scenario shares: whose turn it is, one streamed request, the
// warm-up, and the form of the summary. What is measured of a stream, and when
// it counts, is k6/x/sse's.
//
// The environment gives, as JSON, TARGETS ([{name, url}]) and WATCHED (pids by
// name); SEED (of the order of turns), SUMMARY (the file to write), and, when
// wanted, QUICK=1 (a shorter load), LOAD_MS (of a paced scenario) and SLICE_MS
// (of one by turns).
import { randomSeed, sleep } from 'k6';
import sse from 'k6/x/sse';

const tokens = 20;
const warmUp = 'warm-up';
const targets = JSON.parse(__ENV.TARGETS);
const everyone = targets.map((_, i) => i);

export const quick = Boolean(__ENV.QUICK);

// paced makes k6's options for targets side by side, each with so many VUs.
export function paced({ vus, ms, gap_ms }) {
  ms = Number(__ENV.LOAD_MS || ms);
  return options(gap_ms, vus * everyone.length, [''], [
    { plateau: warmUp, targets: everyone, vus, ...warm },
    { plateau: '', targets: everyone, vus, ms },
  ]);
}

// byTurns makes k6's options for targets of which each has the machine for a
// slice, in plateaus of so many VUs: a plateau holds whole cycles, as many as
// give each target its time, and in each cycle every target has one turn, in
// random order.
export function byTurns({ plateaus, gap_ms }) {
  const most = Math.max(...plateaus.map((p) => p.vus));
  const turns = shuffled().map((i) => ({ plateau: warmUp, targets: [i], vus: most, ...warm }));
  for (const { vus, slice_ms, each_ms } of plateaus) {
    const ms = Number(__ENV.SLICE_MS || slice_ms);
    for (let cycle = 0; cycle < Math.max(1, Math.round(each_ms / ms)); cycle++) {
      turns.push(...shuffled().map((i) => ({ plateau: String(vus), targets: [i], vus, ms })));
    }
  }
  return options(gap_ms, most, plateaus.map((p) => String(p.vus)), turns);
}

// The warm-up is counted in requests and not in seconds, so that a slow server
// is as warm as a fast one; one that hardly answers is not waited for.
const warm = { streams: quick ? 200 : 1000, ms: quick ? 10_000 : 20_000 };

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

let pace; // of the load's tokens

function options(gap_ms, vus, plateaus, turns) {
  pace = `${gap_ms}ms`;
  // VUs begin within the time of one stream, and so do not stay in step.
  for (const turn of turns) {
    turn.spread_ms = turn.plateau === warmUp ? 0 : Math.min(turn.ms, tokens * gap_ms);
  }
  sse.schedule(JSON.stringify({ targets, watched: JSON.parse(__ENV.WATCHED || '{}'), turns }));
  const ms = turns.filter((t) => t.plateau !== warmUp).reduce((sum, t) => sum + t.ms, 0);
  return {
    scenarios: {
      load: {
        // One iteration for each VU: a VU's turns are within it.
        executor: 'per-vu-iterations',
        vus,
        iterations: 1,
        // Streams end the load, or their timeouts; this is for when neither does.
        maxDuration: `${Math.ceil(ms / 1000) + 900}s`,
        // For k6 inspect: what a script plans.
        env: { PLANNED_MS: String(ms), PLATEAUS: JSON.stringify(plateaus) },
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
      body = request(turn, turn.plateau === warmUp ? '2ms' : pace);
      // No samples: k6 would keep those of its Trends until the end.
      params = { target: turn.target, plateau: turn.plateau, slice: turn.slice, tokens, timeout_ms: 20_000, samples: false };
    }
    if (!sse.post(turn.url, body, params).ok) {
      sleep(0.1); // a target that refuses must not take the cores of those beside it
    }
  }
}

// request is the body: a server's, or, for the stub itself, that of the OpenAI API.
function request({ target }, gap) {
  const message = `hello @tokens=${tokens} @gap=${gap}`;
  return JSON.stringify(target === 'direct' ? { model: 'stub', messages: [{ role: 'user', content: message }], stream: true } : { message });
}

export function handleSummary() {
  return { [__ENV.SUMMARY]: JSON.stringify({ turns: sse.turns(), histograms: sse.histograms() }) + '\n' };
}
