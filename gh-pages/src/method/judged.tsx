// The marks of a trend, and how a comparison is judged.
import { noun } from '../data/workload.ts';

export function Judged() {
  return (
    <>
      <h2 id="points">What a point of a trend is</h2>
      <p>
        A point is one measured commit of the main branch: one server, loaded beside direct in a job
        of its own, in one round. Jobs are minutes apart. So compare a line with its own earlier
        points, not with another line; the leaderboard compares servers. A commit is not measured
        when a newer push overtook it. A <strong>gap</strong> is a commit without a figure.
      </p>
      <h3 id="epochs">Epoch</h3>
      <p>
        An epoch is a stretch with the same machine, kernel, rig, placement of processes and form of
        records. Figures of two epochs are not compared: the line is cut, and the cut names what
        changed.
      </p>
      <h3 id="band">Band: the noise between runs</h3>
      <p>
        Runs of <em>unchanged</em> code fall into the band in 95 % of cases. Its half-width is 1.96
        standard deviations of a run. They are estimated robustly, from the differences of
        consecutive points in the epoch (1.4826 times the median absolute deviation). The band is
        wider than the spread of one run's rounds, since rounds share their minutes and runs do not.
      </p>
      <p>
        There is no band with fewer than five differences, or if more than half of them are 0. A
        point outside the band is a reason to look; it is not a verdict.
      </p>

      <h2 id="events">What an event is</h2>
      <p>
        An event is an entry in main's history: a server regressed or improved. It comes from a
        comparison of two commits, loaded <strong>in the same minutes</strong> in 12 rounds of fresh
        processes. Two points of the trend never make an event.
      </p>
      <p>
        When the code of a server changes, it is compared with the version that was published
        before. A comparison without a verdict is repeated. The changes of several comparisons may
        add up to more than chance explains. Then the newest commit is compared with the commit
        where that sum began to grow. Each week every server is also compared with its accepted
        level, or with its oldest commit. Both find gradual regressions. If a comparison finds a
        regression, a second, independent one follows. The event is <em>confirmed</em> when both
        find the same cell.
      </p>
      <dl>
        <dt>▼ regressed, ▲ improved</dt>
        <dd>
          The interval of the change excludes 0. A server has also regressed when {noun()}s or the
          contract fail at the newer commit only.
        </dd>
        <dt>no change</dt>
        <dd>
          The interval of each deciding cell excludes a change of its margin. The margin is 3 % for
          CPU and throughput, 5 % for memory, 10 % for latency.
        </dd>
        <dt>no large change</dt>
        <dd>
          The interval of each deciding cell excludes a change of twice its margin, and not always
          of the margin. The result names the size: "throughput only to 4.2 %".
        </dd>
        <dt>inconclusive</dt>
        <dd>
          A deciding cell neither shows nor excludes a change of twice its margin, or it leans. The
          result names what is excluded and what is open. A cell <em>leans</em> when its whole
          interval is outside its margin.
        </dd>
        <dt>not measured</dt>
        <dd>The older commit fails, or there is no figure. This never counts as "no change".</dd>
        <dt>identical</dt>
        <dd>Both commits have the same source or the same program. They are not loaded.</dd>
      </dl>
      <p>
        Each round gives one value of each cell: the logarithm of new over old. Student's t asks
        whether the mean of these values is 0. On main it is asked once, after 12 rounds. Under a
        pull request it is asked after 4 rounds, and after every second one up to 24: these are the
        looks. Such a comparison ends when the deciding cells are decided. For all cells and looks
        of a server together, the false-alarm rate is 1 %. An interval by itself is a 95 % interval.
      </p>
      <p>
        A change below the floor is never a verdict, however sure it is. The floor is 1.5 % for CPU
        time, req/s and memory, and 1 to 5 % for latencies.
      </p>
      <p>
        Somebody can <strong>accept</strong> a regression: a file on main has the name, the reason
        and the end date. The event stays on this site, with the reason, but is no longer open.
      </p>
    </>
  );
}

/** For a machine without trials. */
export const notMeasured =
  'The trials take hours. They compare a server with itself, with an edited copy that behaves the ' +
  'same, and with a copy that has an injected regression of known size.';
