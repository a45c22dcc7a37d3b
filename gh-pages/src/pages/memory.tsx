import { useMemo } from 'preact/hooks';
import { useLooks } from '../chart/mark.tsx';
import { Choice } from '../chart/tabs.tsx';
import type { Site } from '../data/fetch.ts';
import { newestRank, spreadWords, type Rank } from '../data/rank.ts';
import type { Rec } from '../data/run.ts';
import { mount } from '../frame/frame.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/pages.ts';
import { held, perStream, scenariosOf } from '../memory/memory.ts';
import { fieldsOf } from '../memory/state.ts';
import { Stack } from '../memory/stack.tsx';
import { MemoryTable } from '../memory/table.tsx';
import { Why } from '../run/records.tsx';
import { readRecords } from '../run/resolve.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { listed, moment, share, three } from '../words/numbers.ts';
import { shortRun } from '../words/short.ts';

/** Who holds least and most, in a sentence. */
export function says(rows: ReturnType<typeof held>, scenario: string, ram: number | null): string {
  const known = rows.filter((r) => r.peak).sort((a, b) => a.peak!.mid - b.peak!.mid);
  const [first] = known, last = known.at(-1);
  if (!first || !last) return `No server's memory is known in ${scenario}.`;
  const sum = known.reduce((total, r) => total + r.peak!.mid, 0);
  const mb = (v: number) => `${three(v / 1e6)} MB`;
  const names = (failed: boolean) => rows.filter((r) => !r.peak && r.failed === failed).map((r) => r.server);
  const none = [[names(true), 'failed'], [names(false), 'unknown']] as const;
  const all = first === last ? '' : `, the least, ${last.server} at ${mb(last.peak!.mid)}, the most`;
  return `In ${scenario} ${first.server} peaks at ${mb(first.peak!.mid)}${all}`
    + `${ram === null ? '' : `; ${first === last ? 'that is' : 'all of them together hold'} ${share(sum / ram)} of the machine's ${Math.round(ram / 2 ** 30)} GiB`}.${none.map(([of, word]) => (of.length ? ` ${listed(of)}: ${word}.` : '')).join('')}`;
}

function Held({ site, rank, records }: { site: Site; rank: Rank; records: Rec[] }) {
  const scenarios = scenariosOf(records);
  const fields = useMemo(() => fieldsOf(scenarios), [records]);
  const [{ state, ...odd }, set] = useQuery(fields);
  const looks = useLooks(site);
  const notice = strange(odd);
  const rows = held(records, state.sc);
  const ram = records.find((r) => r.host.memory_bytes !== null)?.host.memory_bytes ?? null;
  const further = perStream(records);
  if (scenarios.length === 0) return <Notice>No record of this run knows a server's memory.</Notice>;
  const sentence = says(rows, state.sc, ram);
  return (
    <>
      {notice && <Notice role="status">{notice}</Notice>}
      {rank.quick && <Notice>{shortRun}</Notice>}
      <p class="answer">{sentence}</p>
      <Choice legend="Scenario" name="sc" values={scenarios} chosen={state.sc} onChoose={(sc) => set({ sc })} />
      <figure>
        <h2>Share of what all servers hold</h2>
        <Stack rows={rows} looks={looks} label={`Share of each server in the peak memory of all. ${sentence} The table below has the figures.`} />
      </figure>
      <MemoryTable site={site} records={records} rows={rows} scenario={state.sc} looks={looks} sort={state.sort} onSort={(sort) => set({ sort })} />
      <p class="soft">
        {spreadWords({ rounds: rank.rounds, interval: 'range' })} All bars begin at 0 and share one scale. Peak RSS is the kernel's own mark (VmHWM), reset when a plateau begins, of the server and its children; memory that processes share counts for each.
        {further && ` A further stream is the peak in ${further.to} less that in ${further.from}, divided by the streams that are open more, in each round. It is coarse: a runtime that keeps memory which it had before shows less.`}
        {' '}Whether memory grows under a load that stays is measured by <code>scripts/bench soak</code>. <a href={href(site.root, 'method', '#figures')}>How to read this</a>.
      </p>
      <Why records={records.filter((r) => r.scenario === state.sc)} />
      <p>Run of {moment(Date.parse(rank.time) / 1000)}. <a href={href(site.root, 'run', `?id=${rank.run}&of=rank`)}>Its records and timelines</a>.</p>
    </>
  );
}

function Page({ site }: { site: Site }) {
  const rank = useAnswer(site.manifest.rank === null ? null : () => newestRank(site), []);
  const run = rank.answer?.ok ? rank.answer.value.run : null;
  const records = useAnswer(run === null ? null : () => readRecords(site, run, 'rank'), [run]);
  return (
    <>
      <h1>Memory</h1>
      {site.manifest.rank === null
        ? <p class="answer">No run has loaded all servers in the same minutes yet. The memory of single servers over commits is on the <a href={href(site.root, 'trend', '?sc=stress-200&m=server_rss_peak_bytes')}>Trend</a> page.</p>
        : <When asked={rank} what="the newest leaderboard" tall>{(r) => <When asked={records} what="the run's records" tall>{(u) => <Held site={site} rank={r} records={u.records} />}</When>}</When>}
    </>
  );
}

void mount(Page);
