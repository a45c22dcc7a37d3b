import { Table, type Col } from '../chart/table.tsx';
import type { Site } from '../data/fetch.ts';
import type { Metric } from '../data/form.ts';
import { unitOf } from '../words/numbers.ts';
import { web } from '../words/text.ts';

const cols: Col<Metric>[] = [
  {
    key: 'label',
    label: 'metric',
    head: 'metric',
    header: true,
    cell: (m) => m.label,
    sort: (m) => m.label,
  },
  { key: 'means', label: 'what it is', head: 'what it is', words: true, cell: (m) => m.means },
  { key: 'unit', label: 'unit', head: 'unit', words: true, cell: (m) => unitOf(m) || 'ratio' },
  {
    key: 'better',
    label: 'better',
    head: 'better',
    words: true,
    cell: (m) => m.better || 'neither',
  },
  {
    key: 'name',
    label: 'name in the record',
    head: 'name in the record',
    words: true,
    cell: (m) => <code>{m.name}</code>,
  },
];

export const Metrics = ({ metrics }: { metrics: Metric[] }) => (
  <section id="metrics">
    <Table
      caption={<h2 class="plain">All metrics</h2>}
      cols={cols}
      rows={metrics}
      id={(m) => m.name}
      empty="The history is empty, so there are no metrics."
    />
  </section>
);

/** The metrics, and where the data is. */
export function Facts({ site }: { site: Site }) {
  const { metrics, repository, history } = site.manifest;
  const base = web(repository);
  return (
    <>
      <Metrics metrics={metrics} />
      <h2 id="data">Data and citing</h2>
      <p>
        <code>scripts/bench site</code> makes this site from the records and verdicts of the runs.
        These files never change, and the same files make the same pages, byte by byte.{' '}
        <a href={`${site.root}data/manifest.json`}>The manifest</a> lists them. The page of a run
        links its records.
      </p>
      <p>
        To cite a figure, give the address of the page as you see it, the commit of the server, and
        the commit of the history
        {history === null ? (
          ''
        ) : (
          <>
            , today <code>{history.slice(0, 10)}</code>
          </>
        )}
        . Anybody can make the figure again from these.
        {base && (
          <>
            {' '}
            The code is at <a href={base}>{base.replace('https://', '')}</a>.
          </>
        )}
      </p>
    </>
  );
}
