// The views of a leaderboard run: tables with ranks, scores, or memory.
import { Choice } from '../chart/tabs.tsx';
import { useLooks } from '../chart/mark.tsx';
import type { Site } from '../data/fetch.ts';
import type { Leaderboard } from '../data/types.ts';
import { spreadWords } from '../data/leaderboard.ts';
import { noun } from '../data/workload.ts';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/href.ts';
import { listed } from '../words/numbers.ts';
import { shortRun } from '../words/short.ts';
import { metricOf } from '../words/verdict.ts';
import { Board, Warnings, type BoardProps } from './board.tsx';
import { Memory } from './memory.tsx';
import { columns, lines, rankingOf } from './rows.ts';
import { Scored } from './scored.tsx';
import { axisScenarios } from './scores.ts';
import { scenariosOf, views, type LeaderboardState, type View } from './state.ts';

const viewWords: Record<View, string> = {
  figures: 'figures',
  all: 'all figures',
  scores: 'scores',
  memory: 'memory',
};

export type Shown = Omit<LeaderboardState, 'run'>;

export function Views({
  site,
  leaderboard,
  state,
  set,
}: {
  site: Site;
  leaderboard: Leaderboard;
  state: Shown;
  set: (change: Partial<Shown>) => void;
}) {
  const looks = useLooks(site);
  const shown = {
    site,
    leaderboard,
    scenario: state.sc,
    sort: state.sort,
    onSort: (sort: string) => set({ sort }),
    looks,
  };
  return (
    <>
      {leaderboard.quick && <Notice>{shortRun}</Notice>}
      {leaderboard.solo && (
        <Notice>
          Each target was loaded alone (-solo), minutes from the others. Small differences between
          servers may come from the machine.
        </Notice>
      )}
      <Choice
        legend="View"
        name="view"
        values={views}
        chosen={state.view}
        onChoose={(view) => set({ view, sort: '' })}
        label={(v) => viewWords[v]}
      />
      {state.view !== 'scores' && (
        <Choice
          legend="Scenario"
          name="board"
          values={scenariosOf(leaderboard)}
          chosen={state.sc}
          onChoose={(sc) => set({ sc, sort: '' })}
        />
      )}
      {state.view === 'scores' ? (
        <Scored {...shown} />
      ) : state.view === 'memory' ? (
        <Memory {...shown} />
      ) : (
        <Figures {...shown} whole={state.view === 'all'} />
      )}
      <Warnings
        leaderboard={leaderboard}
        scenarios={state.view === 'scores' ? axisScenarios(leaderboard) : [state.sc]}
      />
      <p class="soft">
        {spreadWords(leaderboard)} {leaderboard.conditions}
      </p>
    </>
  );
}

/** Each scenario as a table, with its ranking. */
function Figures(shown: BoardProps) {
  const { site, leaderboard, scenario, whole } = shown;
  const ranking = rankingOf(leaderboard, scenario);
  const ranked = leaderboard.rankings
    .filter((r) => r.ranked.length > 0)
    .map((r) => `${r.scenario} by ${metricOf(site.manifest.metrics, r.metric).label}`);
  const shares =
    whole && columns(leaderboard, scenario).some((c) => c.metric === 'server_share_pct');
  const marked = lines(leaderboard, scenario).filter((l) => l.row.status !== 'ok').length;
  return (
    <>
      {leaderboard.rankings.map((r) => (
        <p class="answer">{r.sentence || (r.why && `${r.scenario} is not ranked: ${r.why}.`)}</p>
      ))}
      {marked > 0 && (
        <p>
          * {marked === 1 ? 'One row has' : `${marked} rows have`} a warning or no figures:{' '}
          <a href="#warnings">the reasons are below the table</a>.
        </p>
      )}
      <Board {...shown} />
      {ranking && (
        <p>
          {ranking.tie} <a href={href(site.root, 'method', '#ranks')}>How servers are ranked</a>.
        </p>
      )}
      <p class="soft">
        A bar begins at 0{leaderboard.rounds > 1 && ' and its line is the spread of the rounds'}.{' '}
        {ranking || ranked.length === 0 ? '' : `${scenario} is not ranked, but ${listed(ranked)}. `}
        {shares && "The server's share is its part of the CPU time of server, k6 and stub. "}
        {noun() === 'stream' && 'ITL is unknown where tokens came in lumps. '}The tooltip of a
        column has its meaning; so has{' '}
        <a href={href(site.root, 'method', '#metrics')}>All metrics</a>.
      </p>
      {!leaderboard.quick && (
        <details id="ranks">
          <summary>When servers are tied</summary>
          <p>{site.manifest.tie_rule}</p>
        </details>
      )}
    </>
  );
}
