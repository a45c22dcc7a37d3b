import { Sparkline } from '../chart/sparkline.tsx';
import type { Site } from '../data/fetch.ts';
import type { Event, Events, Metric } from '../data/form.ts';
import type { Health, HeadlineHealth } from '../data/types.ts';
import { href } from '../frame/href.ts';
import { trendQuery } from '../trend/link.ts';
import { day } from '../words/numbers.ts';
import { cut } from '../words/text.ts';
import {
  changeOf,
  metricOf,
  saying,
  signs,
  stateOf,
  directionOf,
  where,
  covers,
} from '../words/verdict.ts';

const NEWEST = 5;

function One({ site, event, health }: { site: Site; event: Event; health: Health }) {
  const cells = saying(event);
  const first = cells[0];
  const direction = directionOf(event.verdict);
  const spark =
    first &&
    health.headlines.find((h) => covers(first, h.scenario) && h.metric === first.metric)?.servers[
      event.server
    ]?.spark;
  return (
    <li>
      <strong class={direction}>
        {signs[direction]} {event.server} {event.verdict}
      </strong>{' '}
      {where(event)}
      {first && (
        <>
          : {first.scenario} {metricOf(site.manifest.metrics, first.metric).label}{' '}
          <span class={direction}>{changeOf(first, site.manifest.metrics)}</span>
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
        {event.time !== null && `${day(Date.parse(event.time) / 1000)}, `}
        {stateOf(event)}
        {event.accepted &&
          ` by ${cut(event.accepted.by, 60)}: ${cut(event.accepted.why, 120)}`}.{' '}
        <a href={href(site.root, 'regressions', `?id=${event.id}`)}>
          Details
          <span class="hidden">
            {' '}
            about {event.server} {where(event)}
          </span>
        </a>
        {first && (
          <>
            ,{' '}
            <a href={href(site.root, 'trend', trendQuery(site.manifest, event, first))}>
              in the trend
              <span class="hidden">
                {' '}
                of {event.server} {where(event)}
              </span>
            </a>
          </>
        )}
      </small>
    </li>
  );
}

/** The open events, and the newest other events; newest first. */
export function parted(events: Event[], open: string[]): { open: Event[]; others: Event[] } {
  const isOpen = new Set(open);
  return {
    open: events.filter((f) => isOpen.has(f.id)),
    others: events.filter((f) => !isOpen.has(f.id)).slice(0, NEWEST),
  };
}

/** The open event of a headline's cell, or of the same cell relative to direct. */
export function eventOf(
  open: Event[],
  metrics: Metric[],
  server: string,
  of: HeadlineHealth,
): Event | undefined {
  return open.find(
    (f) =>
      f.server === server &&
      saying(f).some(
        (c) =>
          covers(c, of.scenario) &&
          (c.metric === of.metric || metricOf(metrics, c.metric).over === of.metric),
      ),
  );
}

/** What regressed, when, by how much and how sure. It comes first on the page. */
export function OpenEvents({
  site,
  events,
  health,
}: {
  site: Site;
  events: Events;
  health: Health;
}) {
  const { open } = parted(events.events, health.open ?? []);
  if (open.length === 0) return null;
  return (
    <ul class="verdicts" aria-label="Open regressions">
      {open.slice(0, NEWEST).map((f) => (
        <One key={f.id} site={site} event={f} health={health} />
      ))}
    </ul>
  );
}

export function NewestEvents({
  site,
  events,
  health,
}: {
  site: Site;
  events: Events;
  health: Health;
}) {
  const { open, others } = parted(events.events, health.open ?? []);
  return (
    <section aria-labelledby="verdicts">
      <h2 id="verdicts">{open.length ? 'Other events' : 'Newest events'}</h2>
      {others.length === 0 ? (
        <p>
          No {open.length ? 'other ' : ''}change has been found yet. A verdict compares two versions
          of a server, loaded in the same minutes.
        </p>
      ) : (
        <ul class="verdicts">
          {others.map((f) => (
            <One key={f.id} site={site} event={f} health={health} />
          ))}
        </ul>
      )}
      <p>
        <a href={href(site.root, 'regressions')}>All events</a>.{' '}
        <a href={href(site.root, 'method', '#events')}>What an event is</a>.
      </p>
    </section>
  );
}
