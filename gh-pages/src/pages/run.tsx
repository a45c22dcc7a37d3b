import { render } from 'preact';
import { looksIn } from '../chart/mark.tsx';
import { Site, failureWords } from '../data/fetch.ts';
import { readDetails, readRecords, resolve, type Found } from '../data/resolve.ts';
import { isOwn, type Kind } from '../data/runs.ts';
import { Guard } from '../frame/guard.tsx';
import { Notice } from '../frame/notice.tsx';
import { Header } from '../run/header.tsx';
import { Shown } from '../run/shown.tsx';
import { fields, type RunState } from '../run/state.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';

/** A run on one's own machine is a leaderboard run. */
const kindOf = (asked: '' | Kind, { run, row }: Found): Kind =>
  row?.comparison
    ? 'trend_runs'
    : asked || (isOwn(run) || (row?.leaderboard && !row.trend_runs) ? 'leaderboard' : 'trend_runs');

function One({
  site,
  found,
  state,
  set,
}: {
  site: Site;
  found: Found;
  state: RunState;
  set: (change: Partial<RunState>) => void;
}) {
  const kind = kindOf(state.of, found);
  const records = useAnswer(() => readRecords(site, found.run, kind), [found.run, kind]);
  const details = useAnswer(() => readDetails(site, found), [found.run]);
  return (
    <>
      {found.row?.quick && (
        <Notice>
          Scenarios were shortened (-quick). This shows that everything works; its figures are no
          basis for comparing servers.
        </Notice>
      )}
      <Header site={site} found={found} kind={kind} />
      <When asked={records} what="the run's records" tall>
        {(run) => (
          <When asked={details} what="timelines and distributions">
            {(d) => (
              <Shown
                site={site}
                run={run}
                details={d}
                state={state}
                set={set}
                looks={looksIn(site)}
                comparison={found.row?.comparison ?? false}
                open
              />
            )}
          </When>
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
      {notice && <Notice role="status">{notice}</Notice>}
      <When asked={found} what="the run" tall>
        {(f) =>
          f ? (
            <One site={site} found={f} state={state} set={set} />
          ) : (
            <Notice>
              {state.id === '' ? (
                'No run has been published yet.'
              ) : (
                <>
                  No measured commit begins with {state.id.slice(0, 10)}.{' '}
                  <a href="./">The newest run</a> is one click away.
                </>
              )}
            </Notice>
          )
        }
      </When>
    </>
  );
}

const meta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)!.content;
const place = document.getElementById('run')!;
const opened = await Site.open(meta('root'), meta('workload'));
render(
  opened.ok ? (
    <Guard what="a file of this page">
      <Page site={opened.value} />
    </Guard>
  ) : (
    <Notice role="alert">
      {failureWords(opened)}{' '}
      <button type="button" onClick={() => location.reload()}>
        Retry
      </button>
    </Notice>
  ),
  place,
);
place.dataset.state = 'ready';
