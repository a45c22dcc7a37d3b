// A run as one self-contained file. scripts/bench writes the answer and the data into the page (WriteRunPage in
// scripts/internal/show/site). It loads nothing over the network. This script draws what is folded.
import { render } from 'preact';
import { looksIn } from '../chart/mark.tsx';
import { Site } from '../data/fetch.ts';
import { readRun } from '../data/run.ts';
import type { Details, Manifest } from '../data/types.ts';
import { searchable } from '../frame/flame.ts';
import { Guard } from '../frame/guard.tsx';
import { Notice } from '../frame/notice.tsx';
import '../frame/site.css';
import { sortable } from '../frame/sort.ts';
import { Shown } from '../run/shown.tsx';
import { fields } from '../run/state.ts';
import { strange, useQuery } from '../state/query.ts';

/** The content of the file. records are in the form of a run's file. details may be null. */
interface Data {
  manifest: Manifest;
  records: string;
  details: Details | null;
}

const data = JSON.parse(document.getElementById('data')!.textContent!) as Data;
const run = readRun(data.records);
const site = Site.alone(data.manifest);

function Rest() {
  const [{ state, ...odd }, set] = useQuery(fields);
  const notice = strange(odd);
  const comparison = run.records.some((r) => r.server.side !== '');
  return (
    <>
      {notice && <Notice role="status">{notice}</Notice>}
      <Shown
        site={site}
        run={run}
        details={data.details}
        state={state}
        set={set}
        looks={looksIn(site)}
        comparison={comparison}
      />
    </>
  );
}

const place = document.getElementById('rest')!;
sortable();
searchable();
place.replaceChildren();
render(
  <Guard what="this report">
    <Rest />
  </Guard>,
  place,
);
place.dataset.state = 'ready';
