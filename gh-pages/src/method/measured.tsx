// How figures are measured. scripts/internal/measure/load/README.md has the same facts.
import { Table, type Col } from '../chart/table.tsx';
import { Headline } from '../comparison/headline.tsx';
import type { Shape, Workload } from '../data/form.ts';
import { noun } from '../data/workload.ts';
import { listed, many } from '../words/numbers.ts';

const cols: Col<Shape>[] = [
  {
    key: 'scenario',
    label: 'scenario',
    head: 'scenario',
    header: true,
    cell: ({ name, levels }) =>
      levels.length ? `${name}, ${many(levels.length, 'level')}: ${listed(levels)}` : name,
  },
  {
    key: 'load',
    label: 'load',
    head: 'load',
    words: true,
    cell: ({ load }) => <Headline text={load} />,
  },
  { key: 'shows', label: 'shows', head: 'what it shows', words: true, cell: ({ shows }) => shows },
];

/** A workload: its servers, and how they are loaded. */
const One = ({ of }: { of: Workload }) => (
  <section aria-labelledby={`workload-${of.name}`}>
    <h3 id={`workload-${of.name}`}>{of.name}</h3>
    <p>
      <Headline text={of.does} /> Before it is loaded, it must pass a contract
      {of.checks > 0 && ` of ${many(of.checks, 'check')}`}. A server that fails a required check
      gets no figures.
      {of.upstream && ' A stub plays the other side that servers ask.'}
      {of.unit === 'stream' &&
        ' One check proves that the server really streams, without a clock: the stub sends an ' +
          'event only after the event before has arrived.'}
    </p>
    <Table
      caption={`Scenarios of ${of.name}: the shapes of load`}
      cols={cols}
      rows={of.shapes}
      id={({ name }) => name}
    />
  </section>
);

export function Measured({ workloads, tieRule }: { workloads: Workload[]; tieRule: string }) {
  return (
    <>
      <h2 id="measured">How it is measured</h2>
      <p>
        A workload is one kind of server: a contract, and scenarios in which k6 loads its servers.
        This site has {workloads.length === 1 ? 'one' : `${workloads.length} of them`}.
      </p>
      {workloads.map((w) => (
        <One of={w} />
      ))}
      <p>
        A machine's speed drifts within minutes. So{' '}
        <strong>targets that are compared share the minutes</strong>: in each round one k6 loads all
        targets with all scenarios. Every process is started afresh for a round, and the first{' '}
        {noun()}s of each target are a warm-up that does not count. One target is <em>direct</em>,
        k6 straight to the stub. It shows what the <em>rig</em> (k6 and the stub) costs by itself.
        The overhead of a server is its difference to direct in the same seconds.
      </p>
      {workloads.some((w) => w.unit === 'stream') && (
        <p>
          This matters a lot. Two copies of one program differed in CPU time per stream in steady.
          In the same minutes the standard deviation was 2.0 %. One after the other it was 9.9 %.
          These are 12 rounds each on two shared cores:{' '}
          <code>go test -C scripts -timeout 2h -run '^$' -bench TwoCopies -benchtime 1x .</code>
        </p>
      )}
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
          it is the arithmetic mean. Events and chart points that an older version of Fairstream
          published have medians instead, since nothing rewrites them. The least and the greatest
          round stand beside it, or are a line through its dot. They are not a confidence interval.
          A round in which {noun()}s failed does not count.
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
        servers share a range of ranks, such as 2-4. Fewer than three rounds give no ranks.
      </p>
    </>
  );
}
