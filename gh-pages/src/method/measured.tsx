// How figures are measured. scripts/internal/measure/run/README.md has the same facts.
import { Table, type Col } from '../chart/table.tsx';
import { noun } from '../data/workload.ts';
import { tieRule } from '../words/ranks.ts';

type Shape = [name: string, load: string, asks: string];
const shapes: Shape[] = [
  [
    'baseline',
    '10 VUs for each target, side by side, for 20 s; tokens 50 ms apart',
    'how long a server delays a token on an idle machine',
  ],
  [
    'steady',
    '20 VUs for each target, side by side, for 20 s; tokens 10 ms apart; two cores are about 60 % busy',
    'how much CPU time a stream costs',
  ],
  [
    'stress-10, stress-100, stress-200',
    'levels of 10, 100 and 200 VUs; tokens 1 ms apart; targets take slices of half a second, in ' +
      'random order',
    'how many streams a full machine serves',
  ],
  ['soak', 'the load of steady with 30 VUs, for ten minutes', 'whether memory grows'],
];

const cols: Col<Shape>[] = [
  { key: 'scenario', label: 'scenario', head: 'scenario', header: true, cell: ([name]) => name },
  { key: 'load', label: 'load', head: 'load', words: true, cell: ([, load]) => load },
  {
    key: 'asks',
    label: 'shows',
    head: 'what it shows',
    words: true,
    cell: ([, , asks]) => asks,
  },
];

export function Measured() {
  return (
    <>
      <h2 id="measured">How it is measured</h2>
      <p>
        A chat server stands between users and a language model. It takes <code>POST /chat</code>,
        asks an OpenAI-style API for a completion, and passes the answer on, token by token. Eight
        such servers, in three languages, are loaded with k6. A stub plays the model: it answers in
        the API's exact format, 20 tokens a stream.
      </p>
      <p>
        Before it is loaded, each server must pass a contract of 47 checks. One check proves that
        the server really streams, without a clock: the stub sends an event only after the event
        before has arrived. A server that fails a required check gets no figures.
      </p>
      <p>
        A machine's speed drifts within minutes. So{' '}
        <strong>targets that are compared share the minutes</strong>: in each round one k6 loads all
        targets. Every process is started afresh, and the first 1,000 streams of each target are a
        warm-up that does not count. One target is <em>direct</em>, k6 straight to the stub. It
        shows what the <em>rig</em> (k6 and the stub) costs by itself. The overhead of a server is
        its difference to direct in the same seconds.
      </p>
      <p>
        This matters a lot. Two copies of one program differed in CPU time per stream in steady. In
        the same minutes the standard deviation was 2.0 %. One after the other it was 9.9 %. These
        are 12 rounds each on two shared cores:{' '}
        <code>go test -C scripts -timeout 2h -run '^$' -bench TwoCopies -benchtime 1x .</code>
      </p>
      <Table
        caption="Scenarios: the shapes of load"
        cols={cols}
        rows={shapes}
        id={([name]) => name}
      />
      <p>
        CPU time is read from the process clock, over the time in which a target was loaded. Peak
        memory is the kernel's own mark (VmHWM), reset when a level begins. The timelines of a run
        come from pidstat, one value a second.
      </p>

      <h2 id="figures">What a figure is</h2>
      <ul>
        <li>
          A figure is the <strong>mean of the rounds</strong>: the geometric mean, so that shown
          changes, ratios and ranks are those of the shown figures. Where a figure may be 0 or less,
          it is the arithmetic mean. The least and the greatest round stand beside it, or are a line
          through its dot. They are not a confidence interval. A round in which {noun()}s failed
          does not count.
        </li>
        <li>
          A <strong>warning</strong> is a reason to doubt a record: streams failed, the rig was at
          its limit, or two clocks disagree. In slices there are two more reasons. The server had
          less than 15 % of the CPU time, or other programs had more than 25 % of the machine. Such
          a figure is drawn hollow or marked with *, and the page of its run has the reason.
        </li>
        <li>
          An <strong>invalid</strong> record contradicts itself. It has no figures, and the page of
          its run has the reason.
        </li>
        <li>
          An unknown figure is left out or called unknown. It is never drawn as 0, and no line is
          drawn across it.
        </li>
        <li>
          Figures are rounded to three digits. The tooltip has the figure of the file, with four
          digits or more.
        </li>
      </ul>

      <h2 id="ranks">Ranks and ties</h2>
      <p>
        The leaderboard is one run that loads all servers in the same minutes. {tieRule} Tied
        servers share a range of ranks, such as 2-4. One round gives no ranks.
      </p>
    </>
  );
}
