import { keeping } from '../data/workload.ts';
import { Button } from '../frame/button.tsx';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Sparkline } from '../chart/sparkline.tsx';
import { located, root, type Site } from '../data/fetch.ts';
import type { Cell, Event, Events, Manifest, Series } from '../data/form.ts';
import { Copy } from '../frame/copy.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/href.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { strange, useQuery } from '../state/query.ts';
import { trendQuery } from '../trend/link.ts';
import { age, many, percent, value } from '../words/numbers.ts';
import { actionsLink, commitLink, cut } from '../words/text.ts';
import {
  changeOf,
  metricOf,
  seriesOf,
  short,
  signs,
  stateOf,
  directionOf,
  directionOfChange,
  directionWords,
  verdictWords,
  where,
} from '../words/verdict.ts';
import { draft, newFile } from './acceptance.ts';
import { around, fieldsOf, main, open, shown, type RegressionsState } from './list.ts';

/** How many events are drawn at first. Each loads a file of its own. */
const MOST = 20;

export function Regressions({ site }: { site: Site }) {
  const m = site.manifest;
  const fields = useMemo(() => fieldsOf(m), [m]);
  const [{ state: s, ...odd }, set] = useQuery(fields);
  const asked = useAnswer(() => site.read<Events>((x) => located(x.events, 'events')), []);
  const notice = strange(odd);
  return (
    <>
      <h1>Regressions</h1>
      {notice && <Notice role="status">{notice}</Notice>}
      <When asked={asked} what="events" tall>
        {(events) => <Shown site={site} s={s} set={set} events={events} />}
      </When>
    </>
  );
}

function Shown({
  site,
  s,
  set,
  events,
}: {
  site: Site;
  s: RegressionsState;
  set: (change: Partial<RegressionsState>) => void;
  events: Events;
}) {
  const m = site.manifest;
  const [most, more] = useState(MOST);
  const rows = shown(events.events, s);
  const opened = events.events.filter(open);
  const others = Object.values(events.others).reduce((a, b) => a + b, 0);
  const missing = s.id !== '' && !events.events.some((f) => f.id === s.id);
  return (
    <>
      <p class="answer">
        {opened.length === 0
          ? 'No regression is open on main.'
          : `${many(opened.length, 'regression is', 'regressions are')} open on main.`}
      </p>
      <p class="soft">
        An event is an entry in main's history: a server regressed or improved. Its comparison
        loaded both versions in the same minutes, in 12 rounds. A regression is confirmed when a
        second comparison agrees. There {events.events.length === 1 ? 'is' : 'are'}{' '}
        {many(events.events.length, 'event')}. {many(others, 'other comparison')} found no change,
        or had no verdict. <a href={href(root(), 'method', '#events')}>How events are judged</a>.
      </p>
      {missing && <Notice role="status">Event {s.id} is not in this history.</Notice>}
      <div class="row controls filter">
        <fieldset class="row">
          <legend class="hidden">Which</legend>
          {(
            [
              ['open', 'open'],
              ['worse', 'all regressions'],
              ['all', 'all, with improvements'],
            ] as const
          ).map(([v, name]) => (
            <label class="pick">
              <input
                type="radio"
                name="show"
                checked={s.show === v}
                onChange={() => set({ show: v })}
              />{' '}
              {name}
            </label>
          ))}
        </fieldset>
        <label>
          Server{' '}
          <select value={s.server} onChange={(e) => set({ server: e.currentTarget.value })}>
            <option value="">all</option>
            {m.servers.map((x) => (
              <option value={x.name}>{x.name}</option>
            ))}
          </select>
        </label>
      </div>
      {rows.length === 0 ? (
        <p>
          {events.events.length === 0 ? (
            'No event has been found yet.'
          ) : (
            <>
              This choice shows none of {many(events.events.length, 'event')}.{' '}
              <Button onPress={() => set({ show: 'all', server: '' })}>Show all</Button>
            </>
          )}
        </p>
      ) : (
        <ol class="events">
          {rows
            .filter((f, i) => i < most || f.id === s.id)
            .map((f) => (
              <Item key={f.id} site={site} f={f} chosen={f.id === s.id} />
            ))}
        </ol>
      )}
      {rows.length > most && (
        <p class="soft">
          The newest {most} of {rows.length} are shown.{' '}
          <Button onPress={() => more(most + MOST)}>
            Show {Math.min(MOST, rows.length - most)} more
          </Button>
        </p>
      )}
    </>
  );
}

function Item({ site, f, chosen }: { site: Site; f: Event; chosen: boolean }) {
  const m = site.manifest;
  const cell = main(f);
  const direction = directionOf(f.verdict);
  const commit = commitLink(m.repository, f.head),
    run = actionsLink(m.repository, f.run);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) item.current?.focus();
  }, [chosen]); // a link to an event leads to it, not to the top of the page
  const since = f.time === null ? null : (Date.now() - Date.parse(f.time)) / 1000;
  return (
    <li
      class={`event ${direction} ${chosen ? 'chosen' : ''}`}
      id={f.id}
      tabIndex={chosen ? -1 : undefined}
      ref={item}
    >
      <h2>
        <span class={direction}>
          {signs[direction]} {f.server} {directionWords[direction]}
        </span>{' '}
        {where(f)}{' '}
        <span class="state">
          {stateOf(f)}
          {since !== null && open(f) ? ` for ${age(since)}` : ''}
        </span>
      </h2>
      {cell && <Main site={site} f={f} cell={cell} />}
      {f.cells.length > 1 && (
        <ul class="soft">
          {f.cells
            .filter((c) => c !== cell)
            .map((c) => (
              <li>
                {c.scenario}, {metricOf(m.metrics, c.metric).label}: {verdictWords(c)},{' '}
                {changeOf(c, m.metrics)}
              </li>
            ))}
        </ul>
      )}
      <p class="soft">
        {many(f.rounds, 'round')} counted{f.discarded ? `, ${f.discarded} discarded` : ''};{' '}
        {f.confirmed ? 'a second comparison agrees' : 'no second comparison agrees'}; against{' '}
        <code>{short(f.base)}</code>
        {f.gradual ? ', the sum of many changes: a gradual regression' : ''}.
      </p>
      {f.accepted && (
        <p>
          {f.accepted.all ? 'Accepted' : `Accepted in part (${many(f.accepted.cells, 'cell')})`} by{' '}
          <bdi>{cut(f.accepted.by, 60)}</bdi>: <bdi>{cut(f.accepted.why, 280)}</bdi>
          {f.accepted.until ? ` (until ${f.accepted.until})` : ''}
        </p>
      )}
      <p class="row no-print">
        <a href={keeping(`?id=${f.id}`)}>Link to this event</a>
        {cell && <a href={href(root(), 'trend', trendQuery(m, f, cell))}>In the trend</a>}
        <a
          href={href(
            root(),
            'tworuns',
            `?a=${short(f.base)}&b=${short(f.head)}${cell ? `&sc=${seriesOf(cell)}` : ''}`,
          )}
        >
          Show both runs
        </a>
        {commit && <a href={commit}>Commit on GitHub</a>}
        {run && <a href={run}>Workflow run</a>}
      </p>
      {open(f) && <Accept f={f} m={m} />}
    </li>
  );
}

function Main({ site, f, cell }: { site: Site; f: Event; cell: Cell }) {
  const m = site.manifest;
  const metric = metricOf(m.metrics, cell.metric);
  const key = `${seriesOf(cell)}/${cell.metric}`;
  const asked = useAnswer(
    m.series[key] ? () => site.read<Series>((x) => located(x.series[key], key)) : null,
    [key],
  );
  const o = asked.answer?.ok ? asked.answer.value : null;
  const near = o && f.at !== null ? around(m, o, f.server, f.at) : null;
  const direction = f.now && directionOfChange(f.now.change, metric.better);
  return (
    <div class="main">
      {m.series[key] && (
        <span class="near">
          {near && (
            <Sparkline
              values={near.values}
              marks={[near.mark]}
              breaks={near.breaks}
              width={160}
              height={40}
            />
          )}
        </span>
      )}
      <p>
        <strong>
          {cell.scenario}, {metric.label}: {changeOf(cell, m.metrics)}
        </strong>
        , from {value(cell.base, metric)} to {value(cell.head, metric)}, with 95 % confidence.
        {f.now && (
          <>
            {' '}
            Now {percent(f.now.change)} against the figure before it:{' '}
            {f.now.inside
              ? 'inside noise'
              : direction === 'worse'
                ? 'still worse'
                : direction === 'better'
                  ? 'better than before'
                  : 'as before'}
            .
          </>
        )}
        {asked.answer && !asked.answer.ok && (
          <>
            {' '}
            Its history cannot be read. <Button onPress={asked.retry}>Retry</Button>
          </>
        )}
      </p>
    </div>
  );
}

function Accept({ f, m }: { f: Event; m: Manifest }) {
  const d = draft(f);
  const link = newFile(m.repository, d);
  return (
    <details class="no-print">
      <summary>Accept it</summary>
      <p>
        A file on main accepts a regression. Fill in your name and the reason, and open a pull
        request. {link && <a href={link}>Create it on GitHub</a>}
      </p>
      <p class="row">
        <code>{d.path}</code>
        <Copy
          text={() => d.text}
          otherwise="this browser does not let a page copy: select the text and copy it"
        >
          Copy the file
        </Copy>
      </p>
      <pre tabIndex={0} aria-label={d.path}>
        {d.text}
      </pre>
    </details>
  );
}
