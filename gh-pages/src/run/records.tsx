import { noun } from '../data/workload.ts';
import { useEffect } from 'preact/hooks';
import { Mark, type Looks } from '../chart/mark.tsx';
import { Table, type Col } from '../chart/table.tsx';
import type { Site } from '../data/fetch.ts';
import type { Rec } from '../data/types.ts';
import type { Run } from '../data/run.ts';
import { toAnchor } from '../frame/anchor.ts';
import { exactly, listed, many, three, unitOf } from '../words/numbers.ts';
import { cut } from '../words/text.ts';
import { conditions } from './facts.ts';
import { isDirect, metricOf, tables, warnings, type Row } from '../data/figures.ts';
import type { Table as Figures } from '../data/figures.ts';

/** The reasons for warnings and missing figures: each once, with its records. */
export function Why({ records }: { records: Rec[] }) {
  const all = warnings(records);
  const marked = records.filter((r) => r.status !== 'ok').length;
  return (
    <section aria-label="Warnings">
      {all.length === 0 ? (
        <p>
          None: {records.length === 1 ? 'the one record is' : `all ${records.length} records are`}{' '}
          ok.
        </p>
      ) : (
        <>
          <p>
            {marked} of {many(records.length, 'record')} have a warning or no figures (*).
          </p>
          <ul>
            {all.map((d) => (
              <li>
                <strong>{listed(d.targets)}</strong>,{' '}
                {d.status === 'invalid' ? 'no figures' : d.status}: {cut(d.why, 300)}
                {d.of.length === 1 ? (
                  <> – {d.of[0]}</>
                ) : (
                  <details>
                    <summary>
                      {many(d.of.length, 'record')}
                      {d.alike && '; the sentence is from the first, the others differ in figures'}
                    </summary>
                    <ul>
                      {d.of.map((o) => (
                        <li>{o}</li>
                      ))}
                    </ul>
                  </details>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="soft">Conditions in the records' own slices: {conditions(records)}.</p>
    </section>
  );
}

function One({
  site,
  of,
  looks,
  chosen,
}: {
  site: Site;
  of: Figures;
  looks: Looks;
  chosen: string;
}) {
  const shown = of.columns
    .map((metric, at) => ({ metric, at }))
    .filter(({ at }) => of.rows.some((r) => r.figures[at]));
  const cols: Col<Row>[] = [
    {
      head: 'server',
      header: true,
      cell: (r) => (
        <>
          <Mark of={looks(r.target)} /> {r.target}
          {r.warning && ' *'}
        </>
      ),
    },
    ...shown.map(({ metric, at }): Col<Row> => {
      const m = metricOf(site.manifest.metrics, metric);
      const unit = unitOf(m);
      return {
        head: m.label,
        title: `${m.means}${unit ? `, ${unit}` : ''}`,
        exact: (r) => {
          const f = r.figures[at];
          return f
            ? `${exactly(f.mean, m)}; ${many(f.rounds, 'round')}, ${exactly(f.low, m)} to ${exactly(f.high, m)}`
            : 'not measured';
        },
        cell: (r) => {
          const f = r.figures[at];
          if (!f)
            return (
              <span class="soft">{r.failed ? 'failed' : isDirect(r.target) ? '–' : 'unknown'}</span>
            );
          const [low, high] = [three(f.low * m.scale), three(f.high * m.scale)];
          return (
            <div class="figure-cell tight">
              <span>{three(f.mean * m.scale)}</span>
              {f.rounds > 1 && low !== high && (
                <small>
                  {low} to {high}
                </small>
              )}
            </div>
          );
        },
      };
    }),
  ];
  return (
    <Table
      caption={of.scenario}
      cols={cols}
      rows={of.rows}
      id={(r) => r.target}
      apart={(r) => r.apart}
      selected={(r) => r.target === chosen}
    />
  );
}

/** chosen: the server whose rows are marked, or ''. comparison: its rounds are those of the verdict. */
export function Records({
  site,
  run,
  looks,
  chosen,
  comparison,
}: {
  site: Site;
  run: Run;
  looks: Looks;
  chosen: string;
  comparison: boolean;
}) {
  useEffect(toAnchor, []);
  const all = tables(run, site.manifest.columns).filter(
    (of) => !comparison || of.rows.some((r) => r.figures.some(Boolean)),
  );
  return (
    <section aria-label="Figures of each scenario">
      <p class="soft">
        Figures are means over the{' '}
        {comparison ? 'rounds that count for the verdict' : `rounds without failed ${noun()}s`},
        with the least and the greatest. A row with * has warnings or records without figures. A
        target has failed when all its records are invalid. A figure is unknown when no round has
        it, and – when direct cannot have it. The tooltip of a column has its meaning.
      </p>
      {all.length === 0 && <p>No round counts for the verdict, so there are no figures.</p>}
      {all.map((of, i) => (
        <details key={of.scenario} open={i === 0}>
          <summary>
            {of.scenario}, {many(of.rows.length, 'target')}
          </summary>
          <One site={site} of={of} looks={looks} chosen={chosen} />
        </details>
      ))}
    </section>
  );
}
