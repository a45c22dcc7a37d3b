import { useMemo } from 'preact/hooks';
import { Mark, useLooks, type Looks } from '../chart/mark.tsx';
import { Table, type Col } from '../chart/table.tsx';
import { Choice } from '../chart/tabs.tsx';
import type { Site } from '../data/fetch.ts';
import { newestRank, serversOf, type Rank } from '../data/rank.ts';
import { mount } from '../frame/frame.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/pages.ts';
import { axes, referenceMachine, referenceRun, version } from '../scores/axes.ts';
import { DotPlot } from '../scores/dots.tsx';
import { Radars } from '../scores/radar.tsx';
import { fieldsOf, ways } from '../scores/state.ts';
import { answer, scoreTable, scoreText, type ServerScores } from '../scores/table.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { exactly, listed, many, moment, value } from '../words/numbers.ts';
import { shortRun } from '../words/short.ts';
import { metricOf } from '../words/verdict.ts';

function Servers({ all, chosen, looks, onChoose }: { all: string[]; chosen: readonly string[]; looks: Looks; onChoose: (sv: string[]) => void }) {
  return (
    <fieldset class="choice controls">
      <legend>Servers: which are shown changes no score</legend>
      <div class="row">
        {all.map((s) => <label class="pill"><input type="checkbox" checked={chosen.includes(s)} onChange={(e) => onChoose(all.filter((x) => (x === s ? e.currentTarget.checked : chosen.includes(x))))} /> <Mark of={looks(s)} /> {s}</label>)}
        <button type="button" onClick={() => onChoose(all)}>All</button>
      </div>
    </fieldset>
  );
}

function ScoreTable({ site, rows, looks, sort, onSort }: { site: Site; rows: ServerScores[]; looks: Looks; sort: string; onSort: (s: string) => void }) {
  const cols: Col<ServerScores>[] = [
    { key: 'server', label: 'server', head: 'server', header: true, sort: (r) => r.server, cell: (r) => <><Mark of={looks(r.server)} /> {r.server}</> },
    ...axes.map((axis, a): Col<ServerScores> => {
      const m = metricOf(site.manifest.metrics, axis.metric);
      return {
        key: axis.id, label: axis.label, head: <>{axis.label}<br /><span class="soft">{axis.scenario}</span></>, sort: (r) => r.by[a]!.score,
        exact: (r) => exactly(r.by[a]!.figure[0], m),
        cell: (r) => {
          const b = r.by[a]!;
          if (b.score === null) return <span class="soft">{r.absent[a]}</span>;
          return <div class="figure-cell"><strong>{scoreText(b.score)}</strong>{b.low !== null && scoreText(b.low) !== scoreText(b.high) && <small>{scoreText(b.low)} to {scoreText(b.high)}</small>}<small>{value(b.figure[0], m)}</small></div>;
        },
      };
    }),
    { key: 'mean', label: 'mean', head: 'mean', sort: (r) => r.mean, cell: (r) => scoreText(r.mean, r.absent.includes('failed') ? 'failed' : undefined) },
    { key: 'count', label: 'axes run', head: 'of axes', sort: (r) => r.count, cell: (r) => `${r.count} of ${axes.length}` },
  ];
  return <Table caption={`Scores, version ${version}, with the figures that they are of`} cols={cols} rows={rows} id={(r) => r.server} sort={sort} onSort={onSort} empty="No server is chosen." />;
}

function Scores({ site, rank }: { site: Site; rank: Rank }) {
  const all = serversOf(rank);
  const fields = useMemo(() => fieldsOf(all, site.manifest.servers), [rank]);
  const [{ state, ...odd }, set] = useQuery(fields);
  const looks = useLooks(site);
  const rows = scoreTable(rank, state.sv);
  const notice = strange(odd);
  const doubted = all.filter((s) => axes.some((a) => rank.tables.find((t) => t.scenario === a.scenario)?.rows.some((r) => r.target === s && r.status !== 'ok')));
  const label = `Scores of ${many(rows.length, 'server')} on ${axes.length} axes, 0 to 100. The table has each.`;
  return (
    <>
      {notice && <Notice role="status">{notice}</Notice>}
      <p class="answer">{answer(scoreTable(rank))}</p>
      {rank.quick && <Notice>{shortRun}</Notice>}
      {doubted.length > 0 && <p>Of {listed(doubted)} some figures are doubtful or missing: <a href={href(site.root, 'leaderboard')}>the Leaderboard says why</a>.</p>}
      <Choice legend="Shown as" name="as" values={ways} chosen={state.as} onChoose={(as) => set({ as })} />
      <Servers all={all} chosen={state.sv} looks={looks} onChoose={(sv) => set({ sv })} />
      {rows.length === 0 && <p>No server is chosen.</p>}
      {rows.length > 0 && state.as === 'dots' && <figure class="scored"><DotPlot rows={rows} looks={looks} label={label} /><figcaption>Further right is better. The line through a dot is from the worst to the best round, the dashed one the reference.</figcaption></figure>}
      {rows.length > 0 && state.as === 'radar' && <><Radars rows={rows} looks={looks} /><p class="soft">Outwards is better. The dashed outline is the reference. Shape and area depend on the order of the axes: read the distances, and see dots or the table.</p></>}
      <ScoreTable site={site} rows={rows} looks={looks} sort={state.sort} onSort={(sort) => set({ sort })} />
      <p>
        A score is a server's own figure against a fixed reference, by the logarithm: 0 to 100, more is better. Twice as good is 15 points, of a latency 10; within 2 points is no difference to speak of.
        The reference, marked by a dashed line, is run {referenceRun} on {referenceMachine}, of the gap an older one. No filter, sort or other server changes a score. <a href={href(site.root, 'method', '#scores')}>The formula and its reference</a>.
      </p>
      <p class="soft">What failed or was not run has no score and is no part of the mean, and so the mean stands with the number of its axes. On another machine than the reference's all scores of an axis move together.</p>
      <p>Run of {moment(Date.parse(rank.time) / 1000)}. <a href={href(site.root, 'leaderboard')}>The same as figures, with ranks and ties</a>.</p>
    </>
  );
}

function Page({ site }: { site: Site }) {
  const rank = useAnswer(site.manifest.rank === null ? null : () => newestRank(site), []);
  return (
    <>
      <h1>Scores</h1>
      {site.manifest.rank === null
        ? <p class="answer">No run has loaded all servers in the same minutes yet, so nothing can be scored.</p>
        : <When asked={rank} what="the newest leaderboard" tall>{(r) => <Scores site={site} rank={r} />}</When>}
    </>
  );
}

void mount(Page);
