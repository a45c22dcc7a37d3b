// A run as one self-contained file. scripts/bench writes its data into the page (WriteRunPage in
// scripts/internal/show/site). It loads nothing over the network.
import { render } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useLooks } from '../chart/mark.tsx';
import { Verdicts } from '../comparison/verdicts.tsx';
import type { Comparison } from '../data/types.ts';
import type { Details } from '../data/types.ts';
import { Site } from '../data/fetch.ts';
import type { Manifest } from '../data/form.ts';
import type { Leaderboard } from '../data/types.ts';
import { readRun, type ReadRun } from '../data/run.ts';
import { Guard } from '../frame/guard.tsx';
import { Notice } from '../frame/notice.tsx';
import '../frame/site.css';
import { fieldsOf } from '../leaderboard/state.ts';
import { Views, type Shown as BoardState } from '../leaderboard/views.tsx';
import { Metrics } from '../method/facts.tsx';
import { Words } from '../method/words.tsx';
import { RunDetails } from '../run/plots.tsx';
import { Shown } from '../run/shown.tsx';
import { fields } from '../run/state.ts';
import { strange, useQuery } from '../state/query.ts';
import { read } from '../state/url.ts';

/**
 * The content of the file. records are in the form of a run's file. leaderboard, comparison and
 * details may be null.
 */
interface Data {
  title: string;
  manifest: Manifest;
  records: string;
  leaderboard: Leaderboard | null;
  comparison: Comparison | null;
  details: Details | null;
}

function Board({ site, leaderboard }: { site: Site; leaderboard: Leaderboard }) {
  const [state, set] = useState<BoardState>(() => read(fieldsOf(leaderboard), '').state);
  return (
    <section aria-labelledby="leaderboard">
      <h2 id="leaderboard">Leaderboard</h2>
      <Views
        site={site}
        leaderboard={leaderboard}
        state={state}
        set={(change) => set((now) => ({ ...now, ...change }))}
      />
    </section>
  );
}

function Report({
  site,
  unpacked,
  title,
  leaderboard,
  comparison,
  details,
}: { site: Site; unpacked: ReadRun } & Pick<
  Data,
  'title' | 'leaderboard' | 'comparison' | 'details'
>) {
  const [{ state, ...odd }, set] = useQuery(useMemo(() => fields, []));
  const looks = useLooks(site);
  const notice = strange(odd);
  return (
    <>
      <h1>{title}</h1>
      {notice && <Notice role="status">{notice}</Notice>}
      {leaderboard && <Board site={site} leaderboard={leaderboard} />}
      {comparison && <Verdicts comparison={comparison} looks={looks} />}
      <Shown
        site={site}
        unpacked={unpacked}
        chosen={state.sv}
        looks={looks}
        comparison={comparison !== null}
      >
        {details ? (
          <RunDetails details={details} chosen={state} choose={set} looks={looks} />
        ) : (
          <p>
            There are no timelines and distributions, since there is no details.json beside the
            records.
          </p>
        )}
      </Shown>
      <Words />
      <Metrics metrics={site.manifest.metrics} />
    </>
  );
}

const page = document.getElementById('page')!;
const data = JSON.parse(document.getElementById('data')!.textContent!) as Data;
document.title = data.title;
page.replaceChildren();
render(
  <Guard what="this report" heading={data.title}>
    <Report site={Site.alone(data.manifest)} unpacked={readRun(data.records)} {...data} />
  </Guard>,
  page,
);
page.dataset.state = 'ready';
