// The chosen commit, beside the chart.
import { Button } from '../frame/button.tsx';
import type { Ref } from 'preact';
import { root } from '../data/fetch.ts';
import type { Manifest } from '../data/form.ts';
import { commitAt } from '../data/commits.ts';
import { isOwnRow } from '../data/runs.ts';
import { Copy } from '../frame/copy.tsx';
import { href } from '../frame/href.ts';
import { useDark } from '../frame/theme.ts';
import { many, moment } from '../words/numbers.ts';
import { actionsLink, commitLink, cut } from '../words/text.ts';
import {
  changeOf,
  metricOf,
  short,
  signs,
  stateOf,
  directionOf,
  directionWords,
  verdictWords,
  where,
} from '../words/verdict.ts';
import { Mark } from '../chart/mark.tsx';
import { look } from '../chart/palette.ts';
import { Table, type Col } from '../chart/table.tsx';
import { indexOf } from './drawn.ts';
import type { Seen } from './events.ts';
import type { History, Model, Row } from './model.ts';
import type { TrendState } from './state.ts';
import { pointExact, pointShown, shownValue } from './words.ts';

export interface DetailProps {
  h: History;
  s: TrendState;
  model: Model;
  place: number;
  seen: Seen[];
  go: (place: number) => void;
  at: Ref<HTMLElement>;
}

export function Detail({ h, s, model, place, seen, go, at }: DetailProps) {
  const m = h.m;
  const c = commitAt(h.commits, place);
  const index = indexOf(model, place);
  const own = isOwnRow(m, c.sha);
  const link = !own && commitLink(m.repository, c.sha),
    actions = c.run ? actionsLink(m.repository, c.run) : undefined;
  const before = commitAt(h.commits, place - 1);
  const epoch = c.epoch === null ? undefined : m.epochs[c.epoch];
  const here = seen.filter((f) => f.place === place);
  return (
    <section class="detail" aria-labelledby="detail-title" tabIndex={-1} ref={at}>
      <h2 id="detail-title">
        {own ? (
          'On your own machine'
        ) : (
          <>
            Commit <code>{c.sha}</code>
          </>
        )}
        :{' '}
        {c.subject === null ? (
          <span class="soft">subject unknown</span>
        ) : (
          <bdi>{cut(c.subject, 80)}</bdi>
        )}
      </h2>
      <dl>
        {own ? (
          <>
            <dt>Time</dt>
            <dd>{moment(c.time)}</dd>
          </>
        ) : (
          <>
            <dt>Author, time</dt>
            <dd>
              <bdi>{c.author === null ? 'unknown' : cut(c.author, 60)}</bdi>, {moment(c.time)}
            </dd>
          </>
        )}
        <dt>Measured on</dt>
        <dd>
          {epoch ? (
            <>
              {epoch.text} <span class="soft">(epoch {epoch.id})</span>
            </>
          ) : (
            'unknown'
          )}
          {c.quick ? '; shortened runs only' : ''}
        </dd>
      </dl>
      <p class="row no-print">
        <Button off={place === 0} onPress={() => go(place - 1)}>
          Earlier commit
        </Button>
        <Button off={place === m.commits.count - 1} onPress={() => go(place + 1)}>
          Later commit
        </Button>
        {c.run && (
          <a href={href(root(), 'run', `?id=${encodeURIComponent(c.run)}`)}>All of this run</a>
        )}
        {c.run && before.run && (
          <a href={href(root(), 'tworuns', `?a=${before.sha}&b=${c.sha}`)}>
            Beside the commit before
          </a>
        )}
        {link && <a href={link}>Commit on GitHub</a>}
        {actions && <a href={actions}>Workflow run</a>}
        <Copy text={() => location.href} otherwise="the address bar has it">
          Copy link
        </Copy>
      </p>
      {here.map((f) => (
        <Card key={f.event.id} f={f} m={m} />
      ))}
      {index >= 0 && model.rows.length > 0 && <Values s={s} model={model} index={index} />}
    </section>
  );
}

function Values({ s, model, index }: { s: TrendState; model: Model; index: number }) {
  const dark = useDark();
  const better = model.metric.better;
  const cols: Col<Row>[] = [
    {
      key: 'server',
      head: 'server',
      label: 'server',
      header: true,
      sort: (r) => r.server,
      cell: (r) => (
        <>
          <Mark of={look(r.slot, dark)} /> {r.server}
        </>
      ),
    },
    {
      key: 'value',
      head: model.metric.label,
      label: model.metric.label,
      better,
      sort: (r) => r.m[index] ?? null,
      exact: (r) => pointExact(s, model, r, index),
      cell: (r) => (
        <>
          {pointShown(s, model, r, index)}
          {r.s[index] === 1 && <small>warning</small>}
        </>
      ),
    },
    {
      key: 'rounds',
      head: 'rounds, least to most',
      label: 'rounds, least to most',
      cell: (r) => span(s, model, r, index, r.least, r.most),
    },
    {
      key: 'band',
      head: 'noise between runs',
      label: 'noise between runs',
      title: 'runs of unchanged code fall here in 95 % of cases',
      cell: (r) => band(s, model, r, index),
    },
  ];
  return (
    <Table
      caption={`${model.metric.label} at this commit`}
      cols={cols}
      rows={model.rows}
      id={(r) => r.server}
    />
  );
}

function span(s: TrendState, model: Model, r: Row, i: number, lows: Row['m'], highs: Row['m']) {
  const low = lows[i] ?? null,
    high = highs[i] ?? null;
  return low === null || high === null ? (
    <span class="soft">{(r.raw[i] ?? null) === null ? 'not measured' : 'not on this axis'}</span>
  ) : (
    `${shownValue(s, model, low)} to ${shownValue(s, model, high)}`
  );
}

/** The band around the line, as it is drawn. */
function band(s: TrendState, model: Model, r: Row, i: number) {
  const low = r.low[i] ?? null,
    high = r.high[i] ?? null;
  return low === null || high === null ? (
    <span class="soft">not known</span>
  ) : (
    `${shownValue(s, model, low)} to ${shownValue(s, model, high)}`
  );
}

/** An event in full. */
function Card({ f, m }: { f: Seen; m: Manifest }) {
  const { event } = f;
  const direction = directionOf(f.cell.verdict);
  const actions = actionsLink(m.repository, event.run);
  return (
    <article class={`card ${direction}`}>
      <p>
        <strong class={direction}>
          {signs[direction]} {event.server} {directionWords[direction]}
        </strong>
        : {metricOf(m.metrics, f.cell.metric).label} of {f.cell.scenario} changed by{' '}
        <strong>{changeOf(f.cell, m.metrics)}</strong>, with 95 % confidence, {where(event)}.
      </p>
      <p class="soft">
        {stateOf(event)}; {many(event.rounds, 'round')} counted
        {event.discarded ? `, ${event.discarded} discarded` : ''};{' '}
        {event.confirmed ? 'a second comparison agrees' : 'no second comparison agrees'}; against{' '}
        <code>{short(event.base)}</code>
        {event.gradual ? ', the sum of many changes: a gradual regression' : ''}.
      </p>
      {event.cells
        .filter((c) => c !== f.cell)
        .map((c) => (
          <p class="soft">
            {c.scenario}, {metricOf(m.metrics, c.metric).label}: {verdictWords(c)},{' '}
            {changeOf(c, m.metrics)}
          </p>
        ))}
      {event.accepted && (
        <p>
          Accepted by <bdi>{cut(event.accepted.by, 60)}</bdi>:{' '}
          <bdi>{cut(event.accepted.why, 280)}</bdi>
          {event.accepted.until ? ` (until ${event.accepted.until})` : ''}
        </p>
      )}
      <p>
        <a href={href(root(), 'regressions', `?id=${event.id}`)}>This event</a>{' '}
        {actions && <a href={actions}>Workflow run of the comparison</a>}
      </p>
    </article>
  );
}
