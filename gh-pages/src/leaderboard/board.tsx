import { Bar } from '../chart/bar.tsx';
import { Mark, type Looks } from '../chart/mark.tsx';
import { Table, type Col } from '../chart/table.tsx';
import type { Site } from '../data/fetch.ts';
import type { Leaderboard } from '../data/types.ts';
import { href } from '../frame/href.ts';
import { exactly, three, unitOf } from '../words/numbers.ts';
import { place, placeSpoken, times } from '../words/ranks.ts';
import { cut } from '../words/text.ts';
import { metricOf } from '../words/verdict.ts';
import { axisOf, columns, lines, mainColumns, rankingOf, versionsOf, type Line } from './rows.ts';

export interface BoardProps {
  site: Site;
  leaderboard: Leaderboard;
  scenario: string;
  whole: boolean;
  sort: string;
  onSort: (sort: string) => void;
  looks: Looks;
}

/**
 * One scenario: a row for each server, a column for each metric. Each figure has its spread, on the
 * axis of its column.
 */
export function Board({ site, leaderboard, scenario, whole, sort, onSort, looks }: BoardProps) {
  const all = lines(leaderboard, scenario);
  const ranking = rankingOf(leaderboard, scenario);
  const cols: Col<Line>[] = [
    {
      key: 'server',
      label: 'server',
      head: 'server',
      header: true,
      sort: (l) => (l.isDirect ? null : l.row.target),
      cell: ({ row, isDirect }) => (
        <>
          <Mark of={looks(row.target)} />{' '}
          {isDirect ? (
            <em>direct</em>
          ) : (
            <a
              href={href(
                site.root,
                'run',
                `?id=${leaderboard.run}&of=leaderboard&sv=${row.target}#figures`,
              )}
            >
              {row.target}
            </a>
          )}
          {row.status !== 'ok' && <span title={row.status}> *</span>}
          <small>
            {isDirect ? 'no server between' : cut(versionsOf(row), 60) || 'versions unknown'}
          </small>
        </>
      ),
    },
  ];
  if (ranking) {
    cols.push(
      {
        key: 'rank',
        label: 'rank',
        head: 'rank',
        better: 'lower',
        sort: (l) => ranking.ranked.find((r) => r.server === l.row.target)?.best ?? null,
        cell: ({ row }) => (
          <>
            <strong aria-hidden="true">{place(ranking, row.target)}</strong>
            <span class="hidden">{placeSpoken(ranking, row.target)}</span>
          </>
        ),
      },
      {
        key: 'times',
        label: 'times the first',
        head: 'times the first',
        better: metricOf(site.manifest.metrics, ranking.metric).better,
        sort: (l) => ranking.ranked.find((r) => r.server === l.row.target)?.ratio ?? null,
        cell: ({ row }) => {
          const t = times(ranking, row.target);
          return (
            <div class="figure-cell">
              <span>{t.text}</span>
              <small>{t.spread}</small>
            </div>
          );
        },
      },
    );
  }
  for (const { metric, at } of whole
    ? columns(leaderboard, scenario)
    : mainColumns(leaderboard, scenario, sort)) {
    const m = metricOf(site.manifest.metrics, metric);
    const domain = axisOf(all.map((l) => l.row.cells[at]));
    const unit = unitOf(m);
    cols.push({
      key: metric,
      label: `${m.label}`,
      head: m.label,
      title: `${m.means}${unit ? `, ${unit}` : ''}; ${m.better || 'neither'} is better`,
      better: m.better,
      sort: (l) => l.row.cells[at]?.[0] ?? null,
      exact: (l) => {
        const c = l.row.cells[at];
        return c
          ? `${exactly(c[0], m)}, ${exactly(c[1], m)} to ${exactly(c[2], m)}`
          : 'not measured';
      },
      cell: ({ row, isDirect }) => {
        const c = row.cells[at];
        if (!c) {
          const why = row.status === 'invalid' ? 'failed' : isDirect ? '–' : 'unknown';
          return <span class="soft">{why}</span>;
        }
        const [mid, low, high] = c.map((v) => v * m.scale) as [number, number, number];
        const spread = three(low) === three(high) ? '' : `${three(low)} to ${three(high)}`;
        return (
          <div class="figure-cell">
            <span>{three(mid)}</span>
            <small class={spread ? '' : 'blank'}>{spread || '\u00a0'}</small>
            {c[2] !== 0 && <Bar value={c[0]} low={c[1]} high={c[2]} domain={domain} />}
          </div>
        );
      },
    });
  }
  return (
    <div class="narrow-heads board">
      <Table
        caption={`All servers in ${scenario}`}
        cols={cols}
        rows={all}
        id={(l) => l.row.target}
        sort={sort}
        onSort={onSort}
        apart={(l) => l.isDirect}
      />
    </div>
  );
}

/** The reasons for warnings and missing figures. They stand below the table. */
export function Warnings({
  leaderboard,
  scenarios,
}: {
  leaderboard: Leaderboard;
  scenarios: string[];
}) {
  const said = scenarios.flatMap((scenario) =>
    lines(leaderboard, scenario)
      .filter(({ row }) => row.status !== 'ok')
      .map(({ row }) => ({
        target: row.target,
        text: `${row.status === 'invalid' ? 'has no figures' : 'has a warning'}${scenarios.length > 1 ? ` in ${scenario}` : ''}: ${(row.why ?? []).map((w) => cut(w, 300)).join('; ') || 'no reason was recorded'}`,
      })),
  );
  if (said.length === 0) return null;
  return (
    <>
      <h2 id="warnings">* Warnings and missing figures</h2>
      <ul>
        {said.map(({ target, text }) => (
          <li>
            <strong>{target}</strong> {text}
          </li>
        ))}
      </ul>
    </>
  );
}
