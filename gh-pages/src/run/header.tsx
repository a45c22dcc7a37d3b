import type { Site } from '../data/fetch.ts';
import type { Found } from '../data/resolve.ts';
import { detailsPath, isOwn, recordsPath, type Kind } from '../data/runs.ts';
import { moment } from '../words/numbers.ts';
import { actionsLink, commitLink, cut } from '../words/text.ts';

/** Says whether machine and rig are the same as at the commit before. */
export function epochWords(site: Site, found: Found): string {
  const { commit, before } = found;
  const text = (place: number) => site.manifest.epochs[place]?.text ?? 'unknown';
  if (!commit || commit.epoch === null) return 'It has no point in the history.';
  if (!before || before.epoch === null) return `The first run, on ${text(commit.epoch)}.`;
  if (before.epoch === commit.epoch)
    return `The same machine and rig as in the run before: ${text(commit.epoch)}.`;
  return (
    `A new epoch: ${text(commit.epoch)}. The run before was on: ${text(before.epoch)}. ` +
    'Figures of two epochs are not compared.'
  );
}

export function Header({ site, found, kind }: { site: Site; found: Found; kind: Kind }) {
  const { commit, before, row, run } = found;
  const url = commit && commitLink(site.manifest.repository, commit.sha);
  const own = isOwn(run);
  const actions = actionsLink(site.manifest.repository, run);
  return (
    <>
      <p class="lead">
        {own && commit ? (
          <>
            A run on your own machine: {cut(commit.subject ?? run, 80)}, {moment(commit.time)}
          </>
        ) : commit ? (
          <>
            {url ? (
              <a href={url}>
                <code>{commit.sha}</code>
              </a>
            ) : (
              <code>{commit.sha}</code>
            )}
            {commit.subject !== null && <> “{cut(commit.subject, 80)}”</>}
            {commit.author !== null && <>, {cut(commit.author, 40)}</>}, {moment(commit.time)}
          </>
        ) : (
          <code>{cut(run, 80)}</code>
        )}
      </p>
      <p>{epochWords(site, found)}</p>
      <ul class="contents">
        {row?.trend_runs && row.leaderboard && !own && (
          <li>
            <a href={`?id=${run}${kind === 'leaderboard' ? '' : '&of=leaderboard'}`}>
              {kind === 'leaderboard' ? 'Single servers of this run' : 'All servers of this run'}
            </a>
          </li>
        )}
        {actions && (
          <li>
            <a href={actions}>The workflow's run</a>
          </li>
        )}
        <li>
          <a href={site.root + recordsPath(run, kind)} download>
            Records, gzipped JSON Lines
          </a>
        </li>
        {row?.details && (
          <li>
            <a href={site.root + detailsPath(run)} download>
              Details, gzipped JSON
            </a>
          </li>
        )}
        {row?.events && (
          <li>
            <a href={`${site.root}events/${run}.json`}>Verdicts of this run</a>
          </li>
        )}
        {before?.run && (
          <li>
            <a href={`?id=${before.run}`}>The run before</a>
          </li>
        )}
      </ul>
    </>
  );
}
