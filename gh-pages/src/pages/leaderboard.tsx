import { useMemo } from 'preact/hooks';
import { useLooks } from '../chart/mark.tsx';
import { Choice } from '../chart/tabs.tsx';
import { located, type Site } from '../data/fetch.ts';
import { spreadWords, type Rank } from '../data/rank.ts';
import { mount, Notice } from '../frame/frame.tsx';
import { href } from '../frame/pages.ts';
import { Board, Doubts } from '../leaderboard/board.tsx';
import { rankingOf } from '../leaderboard/rows.ts';
import { fieldsOf, scenariosOf } from '../leaderboard/state.ts';
import { Older } from '../leaderboard/older.tsx';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { moment } from '../words/numbers.ts';
import { tie, tieRule } from '../words/ranks.ts';

function Ranked({ site, rank }: { site: Site; rank: Rank }) {
  const fields = useMemo(() => fieldsOf(rank), [rank]);
  const [{ state, ...odd }, set] = useQuery(fields);
  const ranking = rankingOf(rank, state.sc);
  const notice = strange(odd);
  return (
    <>
      {notice && <Notice role="status">{notice}</Notice>}
      {rank.quick && <Notice>Scenarios were shortened in this run (-quick): it shows that all works, and measures little. There is none that is whole.</Notice>}
      {rank.solo && <Notice>Each target was loaded alone (-solo), minutes from the others: small differences between servers may be the machine's.</Notice>}
      {rank.rankings.map((r) => <p class="answer">{r.sentence || (r.why && `${r.scenario} is not ranked: ${r.why}.`)}</p>)}
      <Choice legend="Scenario" name="sc" values={scenariosOf(rank)} chosen={state.sc} onChoose={(sc) => set({ sc, sort: '' })} />
      <Board site={site} rank={rank} scenario={state.sc} sort={state.sort} onSort={(sort) => set({ sort })} looks={useLooks(site)} />
      {ranking && <p>{tie(ranking)} <a href={href(site.root, 'method', '#ranks')}>How ranks and ties are made</a>.</p>}
      <Doubts rank={rank} scenario={state.sc} />
      <p class="soft">
        {spreadWords(rank)} A bar begins at 0 and its line is that spread. {ranking ? '' : `Nothing is ranked in ${state.sc}: the stub's pace sets its rate. `}The server's share is its part of the CPU time of server, k6 and stub. {rank.conditions}
      </p>
      <p>
        Run of {moment(Date.parse(rank.time) / 1000)}, {rank.rounds} rounds. <a href={href(site.root, 'run', `?id=${rank.run}&of=rank`)}>Its records, timelines and conditions</a>; <a href={href(site.root, 'scores')}>the same as scores</a>; <a href={href(site.root, 'memory')}>memory</a>.
      </p>
      <details><summary>How ties are made</summary><p>{tieRule}</p></details>
    </>
  );
}

function Page({ site }: { site: Site }) {
  const rank = useAnswer(site.manifest.rank === null ? null : () => site.read<Rank>((m) => located(m.rank, 'the newest leaderboard')), []);
  return (
    <>
      <h1>Leaderboard</h1>
      {site.manifest.rank === null
        ? <p class="answer">No run has loaded all servers in the same minutes yet. Figures of single servers are on the <a href={href(site.root, 'trend')}>Trend</a> page; they are minutes apart and rank nothing.</p>
        : <When asked={rank} what="the newest leaderboard" tall>{(r) => <Ranked site={site} rank={r} />}</When>}
      <Older site={site} />
    </>
  );
}

void mount('leaderboard', Page);
