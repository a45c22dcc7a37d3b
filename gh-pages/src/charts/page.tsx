import { useMemo } from 'preact/hooks';
import { look } from '../chart/palette.ts';
import { Table, type Col } from '../chart/table.tsx';
import { Choice } from '../chart/tabs.tsx';
import { unlike, type Answer, type Site } from '../data/fetch.ts';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/href.ts';
import { useDark } from '../frame/theme.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { exact, many, moment, three } from '../words/numbers.ts';
import { cut } from '../words/text.ts';
import { Plot } from './plot.tsx';
import {
  parse,
  seriesOf,
  serversOf,
  titleOf,
  type Charts as Points,
  type Entry,
  type Series,
} from './points.ts';
import { fieldsOf } from './state.ts';

const FILE = 'charts/data.js';

/** null: nothing is published yet, which is not a failure. */
async function read(site: Site): Promise<Answer<Points | null>> {
  const text = await site.text(FILE);
  if (!text.ok) return text.why === 'missing' ? { ok: true, value: null } : text;
  try {
    return { ok: true, value: parse(text.value) };
  } catch (error) {
    return unlike(error, FILE);
  }
}

/** The points that github-action-benchmark compares, a chart for each of its benches. */
export function Charts({ site }: { site: Site }) {
  const asked = useAnswer(() => read(site), []);
  return (
    <>
      <h1>Charts</h1>
      <p class="soft">
        github-action-benchmark keeps these points of the newest commits of main, and compares them
        with a fixed ratio. The <a href={href(site.root, 'regressions')}>events</a> of this site
        take the noise into account. The <a href={href(site.root, 'trend')}>Trend</a> page has every
        metric over all commits.
      </p>
      <When asked={asked} what="the chart points" tall>
        {(points) =>
          points && serversOf(points, site.manifest.workload).length > 0 ? (
            <Shown site={site} points={points} />
          ) : (
            <p class="answer">No chart point has been published yet.</p>
          )
        }
      </When>
    </>
  );
}

function Shown({ site, points }: { site: Site; points: Points }) {
  const servers = useMemo(() => serversOf(points, site.manifest.workload), [points]);
  const fields = useMemo(() => fieldsOf(servers), [servers]);
  const [{ state, ...odd }, set] = useQuery(fields);
  const notice = strange(odd);
  return (
    <>
      {notice && <Notice role="status">{notice}</Notice>}
      <Choice
        legend="Server"
        name="sv"
        values={servers}
        chosen={state.server}
        onChoose={(server) => set({ server })}
      />
      {Object.entries(points).map(([suite, entries]) => (
        <Suite key={suite} site={site} suite={suite} entries={entries} server={state.server} />
      ))}
    </>
  );
}

function Suite({
  site,
  suite,
  entries,
  server,
}: {
  site: Site;
  suite: string;
  entries: Entry[];
  server: string;
}) {
  const all = useMemo(() => seriesOf(entries, server), [entries, server]);
  const dark = useDark();
  const slot = Math.max(
    0,
    site.manifest.servers.findIndex((s) => `${s.workload}/${s.name}` === server),
  );
  const times = entries.map((e) => seconds(e));
  if (all.length === 0) return null;
  const rows = entries
    .map((entry, i) => ({ entry, i }))
    .filter(({ i }) => all.some((s) => s.values[i] !== null))
    .reverse();
  const cols: Col<{ entry: Entry; i: number }>[] = [
    {
      key: 'commit',
      label: 'commit',
      head: 'commit',
      header: true,
      cell: ({ entry }) => (
        <>
          <code>{entry.commit.id.slice(0, 10)}</code>
          <small>
            <bdi>{cut(entry.commit.message, 60)}</bdi>
          </small>
        </>
      ),
    },
    {
      key: 'time',
      label: 'time',
      head: 'time',
      words: true,
      cell: ({ entry }) => moment(seconds(entry)),
    },
    ...all.map((s, at): Col<{ entry: Entry; i: number }> => ({
      key: String(at),
      label: titleOf(s.name),
      head: (
        <>
          {titleOf(s.name)}
          <br />
          <span class="soft">{s.unit}</span>
        </>
      ),
      sort: ({ i }) => s.values[i] ?? null,
      exact: ({ i }) =>
        s.values[i] === null ? 'not measured' : `${exact(s.values[i]!)} ${s.unit}`,
      cell: ({ i }) => (s.values[i] === null ? '–' : three(s.values[i]!)),
    })),
  ];
  return (
    <section aria-label={suite} class="narrow-heads">
      <h2>{suite}</h2>
      <div class="panels">
        {all.map((s) => (
          <figure key={s.name}>
            <h3>
              {titleOf(s.name)}
              <span class="soft">, {s.unit}</span>
            </h3>
            <Plot
              times={times}
              values={s.values}
              look={look(slot, dark)}
              label={`${s.name}, ${s.unit}: ${says(s)} The table below has each.`}
            />
          </figure>
        ))}
      </div>
      <Table
        caption={`${server}: ${suite}`}
        cols={cols}
        rows={rows}
        id={({ i }) => String(i)}
        page={10}
      />
    </section>
  );
}

const seconds = ({ commit }: Entry): number | null => {
  const at = Date.parse(commit.timestamp);
  return Number.isNaN(at) ? null : at / 1000;
};

function says({ values }: Series): string {
  const known = values.filter((v) => v !== null);
  return `${many(known.length, 'point')}, ${three(Math.min(...known))} to ${three(Math.max(...known))}, the newest ${three(known.at(-1)!)}.`;
}
