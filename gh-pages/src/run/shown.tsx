import type { ComponentChildren } from 'preact';
import type { Looks } from '../chart/mark.tsx';
import type { Site } from '../data/fetch.ts';
import type { ReadRun } from '../data/run.ts';
import { Notice } from '../frame/notice.tsx';
import { whoHas } from './answer.ts';
import { facts, together } from './facts.ts';
import { Records, Why } from './records.tsx';
import { Servers } from './servers.tsx';

/**
 * All that a run's records say, around its timelines and distributions. chosen: the server whose
 * rows are marked, or ''. comparison: the verdicts above it lead.
 */
export function Shown({
  site,
  unpacked,
  chosen,
  looks,
  comparison = false,
  children,
}: {
  site: Site;
  unpacked: ReadRun;
  chosen: string;
  looks: Looks;
  comparison?: boolean;
  children: ComponentChildren;
}) {
  const { records, broken } = unpacked;
  if (records.length === 0)
    return <Notice>The file has no readable record. {broken.join('; ')}</Notice>;
  return (
    <>
      {broken.length > 0 && (
        <Notice>Part of the file cannot be read and is left out: {broken.join('; ')}.</Notice>
      )}
      {!comparison && (
        <>
          <p class="answer">{whoHas(records)}</p>
          <p>{together(records)}</p>
        </>
      )}
      <Why records={records} />
      <Records site={site} run={unpacked} looks={looks} chosen={chosen} comparison={comparison} />
      {children}
      <h2 id="provenance">Where it comes from</h2>
      <dl class="facts">
        {facts(records).map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      <Servers site={site} records={records} />
    </>
  );
}
