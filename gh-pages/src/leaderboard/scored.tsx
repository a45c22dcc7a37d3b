import { Mark, type Looks } from '../chart/mark.tsx';
import { Table, type Col } from '../chart/table.tsx';
import type { Site } from '../data/fetch.ts';
import type { Leaderboard } from '../data/types.ts';
import { exactly, value } from '../words/numbers.ts';
import { Radars } from './radar.tsx';
import { axesOf, bestOf, scoresOf, scoreText, type Scores } from './scores.ts';

/** The run as scores, drawn and as a table. */
export function Scored({
  site,
  leaderboard,
  sort,
  onSort,
  looks,
}: {
  site: Site;
  leaderboard: Leaderboard;
  sort: string;
  onSort: (sort: string) => void;
  looks: Looks;
}) {
  const axes = axesOf(leaderboard, site.manifest.metrics);
  const rows = scoresOf(leaderboard, axes);
  if (axes.length === 0) return <p>This run has no figure with a score.</p>;
  const cols: Col<Scores>[] = [
    {
      key: 'server',
      label: 'server',
      head: 'server',
      header: true,
      sort: (r) => r.server,
      cell: (r) => (
        <>
          <Mark of={looks(r.server)} /> {r.server}
        </>
      ),
    },
    ...axes.map((axis, i): Col<Scores> => ({
      key: axis.metric.name,
      label: axis.label,
      title: axis.metric.means,
      head: (
        <>
          {axis.label}
          <br />
          <span class="soft">
            {axis.metric.label}, {axis.scenario}
          </span>
        </>
      ),
      sort: (r) => r.by[i]!.score,
      exact: (r) => exactly(r.by[i]!.figure, axis.metric),
      cell: (r) => {
        const b = r.by[i]!;
        if (b.score === null) return <span class="soft">{b.absent}</span>;
        return (
          <div class="figure-cell">
            <strong>{scoreText(b)}</strong>
            <small>{value(b.figure, axis.metric)}</small>
          </div>
        );
      },
    })),
  ];
  return (
    <>
      <p class="answer">Best of this run: {bestOf(rows, axes)}.</p>
      {axes.length > 2 && <Radars axes={axes} rows={rows} looks={looks} />}
      <div class="narrow-heads">
        <Table
          caption="Scores, 100 is the best server of this run"
          cols={cols}
          rows={rows}
          id={(r) => r.server}
          sort={sort}
          onSort={onSort}
        />
      </div>
      <p class="soft">
        A score is a share of the best figure of this run: 100 is the best server, and 50 is half as
        good. Where less is better, the best figure is divided by the server's own. Scores of two
        runs cannot be compared. The scores show no ties; the table of figures does. A failed or
        unmeasured figure has no score. The area of a radar depends on the order of its axes, so
        read the distances.
      </p>
    </>
  );
}
