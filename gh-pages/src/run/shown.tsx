import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Looks } from '../chart/mark.tsx';
import type { Site } from '../data/fetch.ts';
import type { ReadRun } from '../data/run.ts';
import type { Details } from '../data/types.ts';
import { Notice } from '../frame/notice.tsx';
import { facts, together } from './facts.ts';
import { RunDetails } from './plots.tsx';
import { Records, Why } from './records.tsx';
import { Servers } from './servers.tsx';
import type { RunState } from './state.ts';

/** A part that is drawn when it is opened. */
function Fold({
  title,
  open = false,
  children,
}: {
  title: string;
  open?: boolean;
  children: () => ComponentChildren;
}) {
  const [seen, see] = useState(open);
  return (
    <details open={open} onToggle={(e) => (e.target as HTMLDetailsElement).open && see(true)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {seen && children()}
    </details>
  );
}

/**
 * All that a run's records say. comparison: its figures are of the rounds that count. open: the
 * figures are in sight.
 */
export function Shown({
  site,
  run,
  details,
  state,
  set,
  looks,
  comparison,
  open = false,
}: {
  site: Site;
  run: ReadRun;
  details: Details | null;
  state: RunState;
  set: (change: Partial<RunState>) => void;
  looks: Looks;
  comparison: boolean;
  open?: boolean;
}) {
  const { records, broken } = run;
  if (records.length === 0)
    return <Notice>The file has no readable record. {broken.join('; ')}</Notice>;
  return (
    <>
      {broken.length > 0 && (
        <Notice>Part of the file cannot be read and is left out: {broken.join('; ')}.</Notice>
      )}
      <Fold title="All figures" open={open}>
        {() => (
          <>
            {!comparison && <p>{together(records)}</p>}
            <Records
              site={site}
              run={run}
              looks={looks}
              chosen={state.sv}
              comparison={comparison}
            />
          </>
        )}
      </Fold>
      <Fold title="Warnings">{() => <Why records={records} />}</Fold>
      <Fold title="Second by second, and distributions">
        {() =>
          details ? (
            <RunDetails details={details} chosen={state} choose={set} looks={looks} />
          ) : (
            <p>There is no details.json beside the records, so there are no timelines.</p>
          )
        }
      </Fold>
      <Fold title="Machine and versions">
        {() => (
          <>
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
        )}
      </Fold>
    </>
  );
}
