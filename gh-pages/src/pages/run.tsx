import { useLooks, type Looks } from '../chart/mark.tsx';
import { Verdicts } from '../comparison/verdicts.tsx';
import type { ComparisonRow } from '../data/types.ts';
import { readComparison } from '../data/comparison.ts';
import type { Site } from '../data/fetch.ts';
import { isOwn, recordsPath, type Kind } from '../data/runs.ts';
import { mount } from '../frame/frame.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/href.ts';
import { RunDetails } from '../run/plots.tsx';
import { Header } from '../run/header.tsx';
import { Recent } from '../run/recent.tsx';
import { readDetails, readRecords, resolve, type Found } from '../data/resolve.ts';
import { Shown } from '../run/shown.tsx';
import { fields, type RunState } from '../run/state.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { moment } from '../words/numbers.ts';
import { shortRun } from '../words/short.ts';
import { cut } from '../words/text.ts';

/** A run on one's own machine is a leaderboard run. */
const kindOf = (asked: '' | Kind, { run, row, comparison }: Found): Kind =>
  comparison
    ? 'trend_runs'
    : asked || (isOwn(run) || (row?.leaderboard && !row.trend_runs) ? 'leaderboard' : 'trend_runs');

/** The verdicts of a comparison, in place of a run's header. */
function Compared({ site, row, looks }: { site: Site; row: ComparisonRow; looks: Looks }) {
  const comparison = useAnswer(() => readComparison(site, row), [row.file]);
  return (
    <>
      <p class="answer">
        A comparison on your own machine: {cut(row.text, 80)}, {moment(Date.parse(row.time) / 1000)}
      </p>
      <ul class="contents">
        <li>
          <a href={site.root + recordsPath(row.run, 'trend_runs')} download>
            Records, gzipped JSON Lines
          </a>
        </li>
      </ul>
      <When asked={comparison} what="the verdicts" tall>
        {(c) => <Verdicts comparison={c} looks={looks} />}
      </When>
    </>
  );
}

function One({
  site,
  found,
  state,
  set,
}: {
  site: Site;
  found: Found;
  state: RunState;
  set: (change: Partial<RunState>, how?: 'push' | 'replace') => void;
}) {
  const kind = kindOf(state.of, found);
  const looks = useLooks(site);
  const records = useAnswer(() => readRecords(site, found.run, kind), [found.run, kind]);
  const details = useAnswer(() => readDetails(site, found), [found.run]);
  return (
    <>
      {found.row?.quick && <Notice>{shortRun}</Notice>}
      {found.comparison ? (
        <Compared site={site} row={found.comparison} looks={looks} />
      ) : (
        <Header site={site} found={found} kind={kind} />
      )}
      <When asked={records} what="the run's records" tall>
        {(u) => (
          <Shown
            site={site}
            unpacked={u}
            chosen={state.sv}
            looks={looks}
            comparison={found.comparison !== null}
          >
            <When asked={details} what="timelines and distributions">
              {(d) =>
                d === null ? (
                  <section>
                    <h2 id="timelines">Second by second</h2>
                    <p>
                      {found.comparison
                        ? 'There are no timelines and distributions, since there is no details.json beside the records.'
                        : 'This run has no published timelines and distributions; only leaderboard runs ' +
                          'have them. Those of other runs are artifacts of the workflow run, for 90 days.'}
                    </p>
                  </section>
                ) : (
                  <RunDetails details={d} chosen={state} choose={set} looks={looks} />
                )
              }
            </When>
          </Shown>
        )}
      </When>
    </>
  );
}

function Page({ site }: { site: Site }) {
  const [{ state, ...odd }, set] = useQuery(fields);
  const found = useAnswer(() => resolve(site, state.id), [state.id]);
  const notice = strange(odd);
  return (
    <>
      <h1>Run</h1>
      {notice && <Notice role="status">{notice}</Notice>}
      {site.manifest.commits.count + site.manifest.comparisons.length === 0 ? (
        <p class="answer">Nothing has been measured yet, so there is no run to show.</p>
      ) : (
        <When asked={found} what="the run" tall>
          {(f) =>
            f === null ? (
              <Notice>
                {state.id === '' ? (
                  'No run has been published yet.'
                ) : (
                  <>
                    No measured commit begins with {state.id.slice(0, 10)}.{' '}
                    <a href={href(site.root, 'run')}>The newest run</a> is one click away; other
                    runs are below.
                  </>
                )}
              </Notice>
            ) : (
              <One site={site} found={f} state={state} set={set} />
            )
          }
        </When>
      )}
      <Recent site={site} />
    </>
  );
}

void mount(Page);
