// The glossary, and what may not be concluded.

export const glossary: [word: string, means: string][] = [
  [
    'server',
    "one of the programs that are measured: a proxy that passes a model's answer on as it is written",
  ],
  ['stub', 'the fake model that answers at a given pace'],
  ['rig', 'k6 and the stub: what measures, and takes a part of the machine itself'],
  ['direct', 'k6 straight to the stub, without a server between'],
  ['target', 'what is loaded: a server, or direct'],
  ['VU', 'a virtual user of k6: it opens a stream, waits for its end and opens the next'],
  ['scenario', 'a shape of load'],
  [
    'level',
    'a stretch of stress with so many VUs: its figures are those of stress-10, stress-100 and ' +
      'stress-200',
  ],
  ['slice', 'the slice of one target where targets take slices'],
  ['round', 'one pass through the scenarios with fresh processes'],
  ['run', 'all rounds of one invocation'],
  ['record', 'the facts of one target in one round and scenario, never averaged'],
  ['cell', 'a server, a scenario and a metric'],
  ['comparison', 'an older and a newer version of one server, loaded in one round'],
  [
    'discarded',
    'said of a round of a comparison that the machine or the rig disturbed: it does not count, and ' +
      'another takes its place',
  ],
  ['event', 'the verdict of a comparison of main that something became worse or better'],
  ['epoch', 'a stretch of the history with the same machine and rig'],
  ['TTFT', "time to first token: from the request's first byte to the first event with content"],
  ['gap', 'the time between two tokens; in a line of a trend, a commit without a figure'],
  ['token_delay', "from the stub's sending of a token to its arrival at k6"],
  [
    'added',
    'less the same of direct in the same seconds; it may be negative, by chance: added TTFT ' +
      'p95 is what a server adds to the time to first token',
  ],
  ['p95', 'the 95th percentile: 95 of 100 were as quick or quicker'],
  [
    'req/s',
    'throughput: streams that came whole and in order, per second; over direct it is a share ' +
      'of what direct does in the same seconds',
  ],
  ['CPU over rig', "a server's CPU time for one stream, over that of k6 and the stub for one"],
  ['RSS', 'the memory that a process holds in RAM'],
  [
    'trend run, rank',
    "the two kinds of runs on main: a trend run loads one server beside direct and makes the trend's points; leaderboard loads all servers together and makes the leaderboard",
  ],
];

const limits = [
  'Not which of two runs was faster. Figures of one run share their minutes; those of two runs ' +
    'do not. Compare ratios to direct, and comparisons.',
  "Not the capacity of a server. k6, the stub and the server share the machine, and under stress req/s are those of all of it; the server's share says how much of the CPU time was the server's.",
  'Not that req/s is a second result beside latency. Each VU waits for its stream to end (a ' +
    'closed loop), so req/s times mean time is the number of VUs.',
  "Not that req/s in baseline and steady is a result: the stub's pace sets it.",
  'Not the same ranks on another machine, with other versions, or with tokens of another size ' +
    'and pace.',
  'Nothing from shortened runs (-quick), which show that all works; they have no point in a trend.',
];

export function Words() {
  return (
    <>
      <h2 id="limits">What may not be concluded</h2>
      <ul>
        {limits.map((l) => (
          <li>{l}</li>
        ))}
      </ul>
      <h2 id="words">Words</h2>
      <dl class="words-list">
        {glossary.map(([word, means]) => (
          <div>
            <dt>{word}</dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
