import { useLooks, Mark } from '../chart/mark.tsx';
import { Sparkline } from '../chart/sparkline.tsx';
import { Table, type Col } from '../chart/table.tsx';
import type { Site } from '../data/fetch.ts';
import type { Event } from '../data/form.ts';
import type { Health, HeadlineHealth, Pulse } from '../data/types.ts';
import { href } from '../frame/href.ts';
import { exactly, many, value } from '../words/numbers.ts';
import { pulseBand, pulseSaid } from '../words/pulse.ts';
import { metricOf, signs } from '../words/verdict.ts';
import { eventOf } from './events.tsx';

/**
 * A server's newest figure, its history, and whether it is as usual or has an open event. The event
 * comes first, since a loss that lasts becomes usual.
 */
function Beat({
  site,
  of,
  pulse,
  newest,
  server,
  event,
}: {
  site: Site;
  of: HeadlineHealth;
  pulse: Pulse | undefined;
  newest: number | null;
  server: string;
  event: Event | undefined;
}) {
  if (!pulse) return <span class="soft">never measured</span>;
  const m = metricOf(site.manifest.metrics, of.metric);
  const said = pulseSaid(pulse, m);
  const behind = newest === null ? 0 : newest - pulse.at;
  const query = `?sc=${of.scenario}&m=${of.metric}&sv=${server}`;
  return (
    <div class="beat">
      <div class="now">
        {pulse.spark.filter((v) => v !== null).length > 1 && (
          <span class="soft">
            <Sparkline values={pulse.spark} width={96} height={24} band={pulseBand(pulse, m)} />
          </span>
        )}
        <a class="figure" href={href(site.root, 'trend', query)} title={exactly(pulse.m, m)}>
          {value(pulse.m, m)}
          {pulse.s === 1 && <span title="warning: the page of the run has the reason">*</span>}
        </a>
      </div>
      {behind > 0 ? (
        <small class="worse">not measured for {many(behind, 'commit')}</small>
      ) : event ? (
        <>
          <small class="worse">
            {signs.worse}{' '}
            <a href={href(site.root, 'regressions', `?id=${event.id}`)}>open regression</a>
          </small>
          {said.change && <small>{said.change}</small>}
        </>
      ) : (
        <>
          <small class={said.direction}>
            {signs[said.direction]} {said.words}
          </small>
          {said.change && <small>{said.change}</small>}
        </>
      )}
    </div>
  );
}

/** open: the open events; empty while they load. */
export function Matrix({ site, health, open }: { site: Site; health: Health; open: Event[] }) {
  const looks = useLooks(site);
  const names = site.manifest.servers
    .map((s) => s.name)
    .filter(
      (name) => health.headlines.some((h) => h.servers[name]) || health.missing?.includes(name),
    );
  const cols: Col<string>[] = [
    {
      key: 'server',
      label: 'server',
      head: 'server',
      header: true,
      sort: (name) => name,
      cell: (name) => (
        <>
          <Mark of={looks(name)} /> {name}
        </>
      ),
    },
    ...health.headlines.map((of): Col<string> => {
      const m = metricOf(site.manifest.metrics, of.metric);
      return {
        key: `${of.scenario}/${of.metric}`,
        label: `${of.scenario}: ${m.label}`,
        title: m.means,
        better: m.better,
        head: (
          <>
            {m.label}
            <br />
            <span class="soft">
              {of.scenario}, {m.better || 'neither'} is better
            </span>
          </>
        ),
        cell: (name) => (
          <Beat
            site={site}
            of={of}
            pulse={of.servers[name]}
            newest={health.commit}
            server={name}
            event={eventOf(open, site.manifest.metrics, name, of)}
          />
        ),
        sort: (name) => of.servers[name]?.m ?? null,
      };
    }),
  ];
  return (
    <Table
      caption="Every server's newest figures"
      cols={cols}
      rows={names}
      id={(name) => name}
      empty="No server has a figure yet. The runs so far were shortened, failed, or are being published."
    />
  );
}
