import { Sparkline } from '../chart/sparkline.tsx';
import type { Site } from '../data/fetch.ts';
import type { Flag, Flags, Metric } from '../data/form.ts';
import type { Health, HeadlineHealth } from '../data/health.ts';
import { href } from '../frame/pages.ts';
import { trendQuery } from '../trend/link.ts';
import { day } from '../words/numbers.ts';
import { cut } from '../words/text.ts';
import { changeOf, metricOf, saying, signs, stateOf, turnOf, where } from '../words/verdict.ts';

const NEWEST = 5;

function One({ site, flag, health }: { site: Site; flag: Flag; health: Health }) {
  const cells = saying(flag);
  const first = cells[0];
  const turn = turnOf(flag.verdict);
  const spark =
    first &&
    health.headlines.find((h) => h.scenario === first.scenario && h.metric === first.metric)
      ?.servers[flag.server]?.spark;
  return (
    <li>
      <strong class={turn}>
        {signs[turn]} {flag.server} {flag.verdict}
      </strong>{' '}
      {where(flag)}
      {first && (
        <>
          : {first.scenario} {metricOf(site.manifest.metrics, first.metric).label}{' '}
          <span class={turn}>{changeOf(first, site.manifest.metrics)}</span>
          {cells.length > 1 && ` and ${cells.length - 1} more`}
        </>
      )}
      {spark && (
        <>
          {' '}
          <span class="soft">
            <Sparkline values={spark} width={96} height={18} />
          </span>
        </>
      )}
      <small>
        {' '}
        {flag.time !== null && `${day(Date.parse(flag.time) / 1000)}, `}
        {stateOf(flag)}
        {flag.acknowledged &&
          ` by ${cut(flag.acknowledged.by, 60)}: ${cut(flag.acknowledged.why, 120)}`}
        .{' '}
        <a href={href(site.root, 'regressions', `?id=${flag.id}`)}>
          All of it
          <span class="hidden">
            {' '}
            about {flag.server} {where(flag)}
          </span>
        </a>
        {first && (
          <>
            ,{' '}
            <a href={href(site.root, 'trend', trendQuery(site.manifest, flag, first))}>
              in the trend
              <span class="hidden">
                {' '}
                of {flag.server} {where(flag)}
              </span>
            </a>
          </>
        )}
      </small>
    </li>
  );
}

/** Those that are open, and the newest of the others; newest first. */
export function parted(flags: Flag[], open: string[]): { open: Flag[]; others: Flag[] } {
  const isOpen = new Set(open);
  return {
    open: flags.filter((f) => isOpen.has(f.id)),
    others: flags.filter((f) => !isOpen.has(f.id)).slice(0, NEWEST),
  };
}

/** The open flag of which a cell of a headline is, or of what that is over direct. */
export function flagOf(
  open: Flag[],
  metrics: Metric[],
  server: string,
  of: HeadlineHealth,
): Flag | undefined {
  return open.find(
    (f) =>
      f.server === server &&
      saying(f).some(
        (c) =>
          c.scenario === of.scenario &&
          (c.metric === of.metric || metricOf(metrics, c.metric).over === of.metric),
      ),
  );
}

/** What regressed, when, by how much and how sure: before all else on the page. */
export function OpenFlags({ site, flags, health }: { site: Site; flags: Flags; health: Health }) {
  const { open } = parted(flags.flags, health.open ?? []);
  if (open.length === 0) return null;
  return (
    <ul class="verdicts" aria-label="Open regressions">
      {open.slice(0, NEWEST).map((f) => (
        <One key={f.id} site={site} flag={f} health={health} />
      ))}
    </ul>
  );
}

export function NewestFlags({ site, flags, health }: { site: Site; flags: Flags; health: Health }) {
  const { open, others } = parted(flags.flags, health.open ?? []);
  return (
    <section aria-labelledby="verdicts">
      <h2 id="verdicts">{open.length ? 'Other verdicts' : 'Newest verdicts'}</h2>
      {others.length === 0 ? (
        <p>
          No {open.length ? 'other ' : ''}change has been found yet. A verdict is on two versions of
          a server that were loaded in the same minutes.
        </p>
      ) : (
        <ul class="verdicts">
          {others.map((f) => (
            <One key={f.id} site={site} flag={f} health={health} />
          ))}
        </ul>
      )}
      <p>
        <a href={href(site.root, 'regressions')}>All flags</a>.{' '}
        <a href={href(site.root, 'method', '#flags')}>What a flag is</a>.
      </p>
    </section>
  );
}
