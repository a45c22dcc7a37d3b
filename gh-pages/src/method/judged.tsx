// What a trend's marks mean, and how it is judged that something changed.

export function Judged() {
  return (
    <>
      <h2 id="points">What a point of a trend is</h2>
      <p>
        A point is one measured commit of the main branch: one server, loaded beside direct in a job
        of its own, in one round. Jobs are minutes apart, so compare a line with its own past and
        not with its neighbour; who is faster than whom is read on the leaderboard. Commits that
        were overtaken by a newer push are not measured. A <strong>gap</strong> is a commit without
        a figure.
      </p>
      <h3 id="epochs">Epoch</h3>
      <p>
        An epoch is a stretch with the same machine, kernel, rig, placement of processes and form of
        records. Nothing is compared across its ends: the line is cut there, and the change is
        named.
      </p>
      <h3 id="band">Band: the noise between runs</h3>
      <p>
        The band is where 95 % of runs of <em>unchanged</em> code would fall: 1.96 standard
        deviations of a run, estimated robustly (1.4826 times the median absolute deviation) from
        the differences of consecutive points in the epoch. It is wider than what a single run's
        rounds show, since rounds share their minutes and runs do not. With fewer than five
        differences there is no band, nor where more than half of them are 0: what is as steady as
        its last digit says nothing of the rest. A point outside the band is a reason to look, no
        verdict.
      </p>

      <h2 id="events">What an event is</h2>
      <p>
        An event is a verdict on two commits whose code was loaded{' '}
        <strong>in the same minutes</strong>, in 4, 8 or 12 rounds of fresh processes: not two
        points of the trend. When a server's code changes, it is compared with what was published
        before; weekly with the newest release or accepted level, to find what crept in. What is
        called regressed is loaded once more by a second, independent comparison; only when that
        says the same of the same cell is the event <em>confirmed</em>.
      </p>
      <dl>
        <dt>▼ regressed, ▲ improved</dt>
        <dd>
          by the change and its interval. A server that fails streams, or the contract, at the newer
          commit only has regressed whatever its speed.
        </dd>
        <dt>no change of x % or more</dt>
        <dd>
          the interval excludes a change of x %, and x is small enough for that to mean something.
        </dd>
        <dt>inconclusive</dt>
        <dd>
          a change is neither shown nor excluded. With it stands how large a change would have been
          found 80 % of the time.
        </dd>
        <dt>not measured</dt>
        <dd>
          the older commit fails, or there is no figure. It is never shown as if all were well.
        </dd>
        <dt>identical</dt>
        <dd>both sides are the same source or the same program; they are not loaded.</dd>
      </dl>
      <p>
        The round is the unit: of each cell, a metric in a scenario, it gives one value, the
        logarithm of new over old. A moderated t test asks whether their mean is 0. It may be asked
        after 4, 8 and 12 rounds: these are the looks. All cells and looks of a server together have
        a risk of 1 % that one is called changed which is not; an interval is a 95 % one by itself.
        What is less than a floor is no change, however sure: 1.5 % of CPU time, req/s and memory, 1
        to 5 % of latencies.
      </p>
      <p>
        A regression can be <strong>accepted</strong>: a file on main says who accepts it, why, and
        until when. It stays shown, with the reason, but counts as open no more.
      </p>
    </>
  );
}

/** Where nobody has run the trials. */
export const notMeasured =
  'It takes hours: a server against itself, against itself with its source edited to no ' +
  'effect, and against itself with a regression of known size injected. The tables will stand ' +
  'here.';
