// How it is measured. Facts are those of scripts/internal/measure/run/README.md.
import { Table, type Col } from '../chart/table.tsx';

type Shape = [name: string, load: string, asks: string];
const shapes: Shape[] = [
  [
    'baseline',
    '10 VUs for each target, side by side, for 20 s, tokens 50 ms apart',
    'what a server adds to a token when nothing presses',
  ],
  [
    'steady',
    '20 VUs for each, side by side, for 20 s, tokens 10 ms apart: two cores are some 60 % busy',
    'what a stream costs',
  ],
  [
    'stress-10, stress-100, stress-200',
    'levels of 10, 100 and 200 VUs, tokens 1 ms apart; the targets take slices of half a ' +
      'second, in random order',
    'how well a crowd is served by a full machine',
  ],
  ['soak', 'that of steady with 30 VUs, for ten minutes', 'whether memory grows'],
];

const cols: Col<Shape>[] = [
  { key: 'scenario', label: 'scenario', head: 'scenario', header: true, cell: ([name]) => name },
  { key: 'load', label: 'load', head: 'load', words: true, cell: ([, load]) => load },
  {
    key: 'asks',
    label: 'answers',
    head: 'what it answers',
    words: true,
    cell: ([, , asks]) => asks,
  },
];

export function Measured() {
  return (
    <>
      <h2 id="measured">How it is measured</h2>
      <p>
        A chat server before a language model takes <code>POST /chat</code>, asks an OpenAI-style
        API for a completion and passes the answer on, token by token. Eight such servers, in three
        languages, are loaded with k6 against a stub of the model that answers in the API's exact
        format, 20 tokens a stream. Before that, each is held to a contract from outside, 47 checks;
        that it really streams is proven in lock-step and without a clock: the stub sends an event
        only after the one before was seen. A server that fails what it must do gets no figures.
      </p>
      <p>
        A machine's speed drifts within minutes. So{' '}
        <strong>what is compared shares the minutes</strong>: in each round one k6 loads all
        targets, every process is started afresh, and a warm-up of 1,000 streams for each is not
        counted. One target is <em>direct</em>, k6 straight to the stub: what the load generator and
        the stub, together the <em>rig</em>, cost and add by themselves. What a server adds is a
        difference to direct, or a share of it, in the same seconds.
      </p>
      <p>
        How much that matters: two copies of one program differed in CPU time per stream in steady
        by a standard deviation of 2.0 % when loaded in the same minutes, and of 9.9 % one after the
        other (12 rounds each on two shared cores;{' '}
        <code>go test -C scripts -timeout 2h -run '^$' -bench TwoCopies -benchtime 1x .</code>).
      </p>
      <Table
        caption="Scenarios: the shapes of load"
        cols={cols}
        rows={shapes}
        id={([name]) => name}
      />
      <p>
        CPU time is that of the process clock over the time a target was loaded; peak memory is the
        kernel's own mark (VmHWM), reset when a level begins; the timelines of a run are pidstat's,
        a value a second.
      </p>

      <h2 id="figures">What a figure is</h2>
      <ul>
        <li>
          A figure is the <strong>median over the rounds</strong>, with the least and the greatest
          round beside it or as a line through its dot. These are no confidence interval. A round in
          which streams failed does not count.
        </li>
        <li>
          <strong>Warning</strong> is a record that something casts warning on: streams failed, the
          rig was at its limit, two clocks disagree, or by slices the server had less than 15 % of
          the CPU time or other programs more than 25 % of the machine. It is drawn hollow or marked
          with *, with the reason on its run's page.
        </li>
        <li>
          <strong>Invalid</strong> is a record whose numbers contradict each other. It has none, and
          says why.
        </li>
        <li>
          What is not known is left out or called unknown. It is never drawn as 0, and a line is
          never drawn across it.
        </li>
        <li>
          Figures are rounded to three digits; the tooltip has what the files have, which is four or
          more.
        </li>
      </ul>

      <h2 id="ranks">Leaderboards and ties</h2>
      <p>
        The leaderboard is one run in which all servers were loaded in the same minutes. Two servers
        are tied when they differ by no more than what is left between the rounds once each server's
        and each round's mean is taken away (Student's t over all comparisons of servers, 5 % risk
        that any two equal ones are told apart). Tied servers share a range of leaderboards, such as
        2-4. One round gives no leaderboards.
      </p>
    </>
  );
}
