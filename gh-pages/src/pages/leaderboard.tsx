import { useMemo } from 'preact/hooks';
import type { Site } from '../data/fetch.ts';
import type { Leaderboard } from '../data/types.ts';
import { leaderboardOf } from '../data/leaderboard.ts';
import { isOwn } from '../data/runs.ts';
import { mount } from '../frame/frame.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/href.ts';
import { fieldsOf, run } from '../leaderboard/state.ts';
import { Others } from '../leaderboard/others.tsx';
import { Views } from '../leaderboard/views.tsx';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { read } from '../state/url.ts';
import { many, moment } from '../words/numbers.ts';

function Ranked({
  site,
  leaderboard,
  newest,
}: {
  site: Site;
  leaderboard: Leaderboard;
  newest: boolean;
}) {
  const fields = useMemo(() => fieldsOf(leaderboard), [leaderboard]);
  const [{ state, ...odd }, set] = useQuery(fields);
  const notice = strange(odd);
  return (
    <>
      {notice && <Notice role="status">{notice}</Notice>}
      <p>
        {isOwn(leaderboard.run)
          ? 'A run on your own machine'
          : newest
            ? 'The newest run of all servers'
            : 'An older run of all servers'}
        , of {moment(Date.parse(leaderboard.time) / 1000)}, {many(leaderboard.rounds, 'round')}.{' '}
        <a href={href(site.root, 'run', `?id=${leaderboard.run}&of=leaderboard`)}>
          Its records, timelines and conditions
        </a>
        {!newest && (
          <>
            ; <a href={href(site.root, 'leaderboard')}>the newest</a>
          </>
        )}
        .
      </p>
      <Views site={site} leaderboard={leaderboard} state={state} set={set} />
    </>
  );
}

function Unranked({ site, run }: { site: Site; run: string }) {
  return (
    <Notice>
      {run} has no table here. It is not a leaderboard run, or is older than the runs below. Its
      figures may be on <a href={href(site.root, 'run', `?id=${run}`)}>its own page</a>. Or see{' '}
      <a href={href(site.root, 'leaderboard')}>the newest table</a>.
    </Notice>
  );
}

function Page({ site }: { site: Site }) {
  const asked = read({ run }, location.search).state.run;
  const leaderboard = useAnswer(
    site.manifest.leaderboard === null ? null : () => leaderboardOf(site, asked),
    [],
  );
  return (
    <>
      <h1>Leaderboard</h1>
      {site.manifest.leaderboard === null ? (
        <p class="answer">
          No run has loaded all servers in the same minutes yet. Figures of single servers are on
          the <a href={href(site.root, 'trend')}>Trend</a> page. They are minutes apart, so they
          give no ranks.
        </p>
      ) : (
        <When asked={leaderboard} what="the leaderboard" tall>
          {(r) => (r ? <Ranked site={site} {...r} /> : <Unranked site={site} run={asked} />)}
        </When>
      )}
      {site.manifest.leaderboard !== null && (
        <Others
          site={site}
          shown={leaderboard.answer?.ok ? leaderboard.answer.value?.leaderboard.run : undefined}
        />
      )}
    </>
  );
}

void mount(Page);
