import { useMemo } from 'preact/hooks';
import { useLooks } from '../chart/mark.tsx';
import { Choice } from '../chart/tabs.tsx';
import type { Site } from '../data/fetch.ts';
import { rankOf, spreadWords, type Rank } from '../data/rank.ts';
import { isOwn } from '../data/runs.ts';
import { mount } from '../frame/frame.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/pages.ts';
import { Board, Doubts, type BoardProps } from '../leaderboard/board.tsx';
import { Memory } from '../leaderboard/memory.tsx';
import { columns, lines, rankingOf } from '../leaderboard/rows.ts';
import { Scored } from '../leaderboard/scored.tsx';
import { axisScenarios } from '../leaderboard/scores.ts';
import { fieldsOf, run, scenariosOf, views, type View } from '../leaderboard/state.ts';
import { Others } from '../leaderboard/others.tsx';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { read } from '../state/url.ts';
import { listed, many, moment } from '../words/numbers.ts';
import { sentence, tie, tieRule } from '../words/ranks.ts';
import { metricOf } from '../words/verdict.ts';
import { shortRun } from '../words/short.ts';

const viewWords: Record<View, string> = { figures: 'figures', all: 'all figures', scores: 'scores', memory: 'memory' };

function Ranked({ site, rank, newest }: { site: Site; rank: Rank; newest: boolean }) {
  const fields = useMemo(() => fieldsOf(rank), [rank]);
  const [{ state, ...odd }, set] = useQuery(fields);
  const looks = useLooks(site);
  const notice = strange(odd);
  const shown = { site, rank, scenario: state.sc, sort: state.sort, onSort: (sort: string) => set({ sort }), looks };
  return (
    <>
      {notice && <Notice role="status">{notice}</Notice>}
      <p>{isOwn(rank.run) ? 'A run on your own machine' : newest ? 'The newest run of all servers' : 'An older run of all servers'}, of {moment(Date.parse(rank.time) / 1000)}, {many(rank.rounds, 'round')}. <a href={href(site.root, 'run', `?id=${rank.run}&of=rank`)}>Its records, timelines and conditions</a>{!newest && <>; <a href={href(site.root, 'leaderboard')}>the newest</a></>}.</p>
      {rank.quick && <Notice>{shortRun}</Notice>}
      {rank.solo && <Notice>Each target was loaded alone (-solo), minutes from the others: small differences between servers may be the machine's.</Notice>}
      <Choice legend="View" name="view" values={views} chosen={state.view} onChoose={(view) => set({ view, sort: '' })} label={(v) => viewWords[v]} />
      {state.view !== 'scores' && <Choice legend="Scenario" name="sc" values={scenariosOf(rank)} chosen={state.sc} onChoose={(sc) => set({ sc, sort: '' })} />}
      {state.view === 'scores' ? <Scored {...shown} /> : state.view === 'memory' ? <Memory {...shown} /> : <Figures {...shown} whole={state.view === 'all'} />}
      <Doubts rank={rank} scenarios={state.view === 'scores' ? axisScenarios : [state.sc]} />
      <p class="soft">{spreadWords(rank)} {rank.conditions}</p>
    </>
  );
}

/** Each scenario as a table, with its ranking. */
function Figures(shown: BoardProps) {
  const { site, rank, scenario, whole } = shown;
  const ranking = rankingOf(rank, scenario);
  const ranked = rank.rankings.filter((r) => r.ranked.length > 0).map((r) => `${r.scenario} by ${metricOf(site.manifest.metrics, r.metric).label}`);
  const shares = whole && columns(rank, scenario).some((c) => c.metric === 'server_share_pct');
  const doubted = lines(rank, scenario).filter((l) => l.row.status !== 'ok').length;
  return (
    <>
      {rank.rankings.map((r) => <p class="answer">{sentence(rank, r, metricOf(site.manifest.metrics, r.metric)) || (r.why && `${r.scenario} is not ranked: ${r.why}.`)}</p>)}
      {doubted > 0 && <p>* {doubted === 1 ? 'One row is' : `${doubted} rows are`} doubtful or failed: <a href="#doubts">the reasons stand below the table</a>.</p>}
      <Board {...shown} />
      {ranking && <p>{tie(ranking)} <a href={href(site.root, 'method', '#ranks')}>How ranks and ties are made</a>.</p>}
      <p class="soft">
        A bar begins at 0{rank.rounds > 1 && ' and its line is the spread of the rounds'}. {ranking || ranked.length === 0 ? '' : `${scenario} is not ranked, but ${listed(ranked)}. `}{shares && "The server's share is its part of the CPU time of server, k6 and stub. "}What a column means is in its tooltip and under <a href={href(site.root, 'method', '#metrics')}>All metrics</a>.
      </p>
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
