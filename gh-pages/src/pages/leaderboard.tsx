import { useMemo } from 'preact/hooks';
import { useLooks } from '../chart/mark.tsx';
import { Choice } from '../chart/tabs.tsx';
import type { Site } from '../data/fetch.ts';
import { rankOf, spreadWords, type Rank } from '../data/rank.ts';
import { isOwn } from '../data/runs.ts';
import { mount } from '../frame/frame.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/pages.ts';
import { Board, Doubts } from '../leaderboard/board.tsx';
import { columns, lines, rankingOf } from '../leaderboard/rows.ts';
import { fieldsOf, run, scenariosOf } from '../leaderboard/state.ts';
import { Others } from '../leaderboard/others.tsx';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { read } from '../state/url.ts';
import { listed, many, moment } from '../words/numbers.ts';
import { sentence, tie, tieRule } from '../words/ranks.ts';
import { metricOf } from '../words/verdict.ts';
import { shortRun } from '../words/short.ts';

function Ranked({ site, rank, newest }: { site: Site; rank: Rank; newest: boolean }) {
  const fields = useMemo(() => fieldsOf(rank), [rank]);
  const [{ state, ...odd }, set] = useQuery(fields);
  const ranking = rankingOf(rank, state.sc);
  const ranked = rank.rankings.filter((r) => r.ranked.length > 0).map((r) => `${r.scenario} by ${metricOf(site.manifest.metrics, r.metric).label}`);
  const shares = state.cols === 'all' && columns(rank, state.sc).some((c) => c.metric === 'server_share_pct');
  const doubted = lines(rank, state.sc).filter((l) => l.row.status !== 'ok').length;
  const notice = strange(odd);
  return (
    <>
      {notice && <Notice role="status">{notice}</Notice>}
      <p>{isOwn(rank.run) ? 'A run on your own machine' : newest ? 'The newest run of all servers' : 'An older run of all servers'}, of {moment(Date.parse(rank.time) / 1000)}, {many(rank.rounds, 'round')}. <a href={href(site.root, 'run', `?id=${rank.run}&of=rank`)}>Its records, timelines and conditions</a>{!newest && <>; <a href={href(site.root, 'leaderboard')}>the newest</a></>}.</p>
      {rank.quick && <Notice>{shortRun}</Notice>}
      {rank.solo && <Notice>Each target was loaded alone (-solo), minutes from the others: small differences between servers may be the machine's.</Notice>}
      {rank.rankings.map((r) => <p class="answer">{sentence(rank, r, metricOf(site.manifest.metrics, r.metric)) || (r.why && `${r.scenario} is not ranked: ${r.why}.`)}</p>)}
      <Choice legend="Scenario" name="sc" values={scenariosOf(rank)} chosen={state.sc} onChoose={(sc) => set({ sc, sort: '' })} />
      <label class="pick controls"><input type="checkbox" checked={state.cols === 'all'} onChange={(e) => set({ cols: e.currentTarget.checked ? 'all' : 'main' })} /> all columns</label>
      {doubted > 0 && <p>* {doubted === 1 ? 'One row is' : `${doubted} rows are`} doubtful or failed: <a href="#doubts">the reasons stand below the table</a>.</p>}
      <Board site={site} rank={rank} scenario={state.sc} whole={state.cols === 'all'} sort={state.sort} onSort={(sort) => set({ sort })} looks={useLooks(site)} />
      {ranking && <p>{tie(ranking)} <a href={href(site.root, 'method', '#ranks')}>How ranks and ties are made</a>.</p>}
      <Doubts rank={rank} scenario={state.sc} />
      <p class="soft">
        {spreadWords(rank)} A bar begins at 0{rank.rounds > 1 && ' and its line is that spread'}. {ranking || ranked.length === 0 ? '' : `${state.sc} is not ranked, but ${listed(ranked)}. `}{shares && "The server's share is its part of the CPU time of server, k6 and stub. "}{rank.conditions} What a column means is in its tooltip and under <a href={href(site.root, 'method', '#metrics')}>All metrics</a>.
      </p>
      {newest && <p><a href={href(site.root, 'scores')}>The same as scores</a>; <a href={href(site.root, 'memory')}>memory</a>.</p>}
      <details><summary>How ties are made</summary><p>{tieRule}</p></details>
    </>
  );
}

function Unranked({ site, run }: { site: Site; run: string }) {
  return <Notice>Of {run} there is no table here: it has no run of all servers together, or is older than those below. Its figures may be on <a href={href(site.root, 'run', `?id=${run}`)}>its own page</a>; or see <a href={href(site.root, 'leaderboard')}>the newest table</a>.</Notice>;
}

function Page({ site }: { site: Site }) {
  const asked = read({ run }, location.search).state.run;
  const rank = useAnswer(site.manifest.rank === null ? null : () => rankOf(site, asked), []);
  return (
    <>
      <h1>Leaderboard</h1>
      {site.manifest.rank === null
        ? <p class="answer">No run has loaded all servers in the same minutes yet. Figures of single servers are on the <a href={href(site.root, 'trend')}>Trend</a> page; they are minutes apart and rank nothing.</p>
        : <When asked={rank} what="the leaderboard" tall>{(r) => (r ? <Ranked site={site} {...r} /> : <Unranked site={site} run={asked} />)}</When>}
      {site.manifest.rank !== null && <Others site={site} shown={rank.answer?.ok ? rank.answer.value?.rank.run : undefined} />}
    </>
  );
}

void mount(Page);
