import { useMemo } from 'preact/hooks';
import { Table, type Col } from '../chart/table.tsx';
import { root, type Site } from '../data/fetch.ts';
import type { Events } from '../data/form.ts';
import { located } from '../data/fetch.ts';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/href.ts';
import { strange, useQuery } from '../state/query.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { exactly, many, moment, three, value } from '../words/numbers.ts';
import { actionsLink, commitLink, cut } from '../words/text.ts';
import {
  changeOf,
  metricOf,
  signs,
  stateOf,
  directionOf,
  directionWords,
  covers,
} from '../words/verdict.ts';
import type { CommitFacts } from '../data/commits.ts';
import { isOwnRow } from '../data/runs.ts';
import type { Compared, Side } from './cells.ts';
import { Choose } from './choose.tsx';
import { ofCommits, type Comparison, type NoRuns } from './load.ts';
import { fieldsOf, type TwoRunsState } from './state.ts';
import { changeWords, noiseWords, summary } from './words.ts';

export function TwoRuns({ site }: { site: Site }) {
  const m = site.manifest;
  const fields = useMemo(() => fieldsOf(m), [m]);
  const [{ state: s, ...odd }, set] = useQuery(fields);
  const none = Object.keys(m.series).length === 0;
  const asked = useAnswer<Comparison | NoRuns | null>(none ? null : () => ofCommits(site, s), [
    s.a,
    s.b,
    s.scenario,
    s.metrics,
  ]);
  const notice = strange(odd);
  const known = asked.answer?.ok ? asked.answer.value : null;
  const now = known && 'commits' in known ? known.commits : null;
  return (
    <>
      <h1>Two runs</h1>
      {notice && <Notice role="status">{notice}</Notice>}
      {none ? (
        <Notice>
          {m.commits.count === 0
            ? 'No run has been published yet, so there is nothing to compare.'
            : 'All runs so far were shortened (-quick) or failed, so there is nothing to compare.'}
        </Notice>
      ) : (
        <>
          <Choose site={site} s={s} set={set} now={now} />
          <When asked={asked} what="both runs" tall>
            {(c) =>
              c && 'reason' in c ? (
                <Notice role="status">{c.reason}</Notice>
              ) : c ? (
                <Shown site={site} s={s} set={set} c={c} />
              ) : (
                <NotTwo site={site} />
              )
            }
          </When>
        </>
      )}
    </>
  );
}

function NotTwo({ site: { manifest: m } }: { site: Site }) {
  return (
    <Notice role="status">
      {m.commits.count === 1
        ? 'One commit has been measured. The next one makes two runs.'
        : 'There are no two runs yet. Shortened runs (-quick) do not count.'}
      {m.leaderboard !== null && (
        <>
          {' '}
          The <a href={href(root(), 'leaderboard')}>Leaderboard</a> compares the servers of one run.
        </>
      )}
    </Notice>
  );
}

function Shown({
  site,
  s,
  set,
  c,
}: {
  site: Site;
  s: TwoRunsState;
  set: (change: Partial<TwoRunsState>) => void;
  c: Comparison;
}) {
  const [a, b] = c.commits.map((x) => x.sha) as [string, string];
  const cols: Col<Compared>[] = [
    {
      key: 'server',
      head: 'server',
      label: 'server',
      header: true,
      sort: (x) => x.server,
      cell: (x) => x.server,
    },
    {
      key: 'metric',
      head: 'metric',
      label: 'metric',
      title: 'with what more or less of it means',
      words: true,
      sort: (x) => x.metric.label,
      cell: (x) => (
        <span title={x.metric.means}>
          {x.metric.label}
          <small>
            {{ higher: 'more is better', lower: 'less is better', '': '' }[x.metric.better]}
          </small>
        </span>
      ),
    },
    {
      key: 'a',
      head: <code>{a}</code>,
      label: a,
      exact: (x) => exactly(x.a?.mean ?? null, x.metric),
      cell: (x) => <SideCell side={x.a} of={x} />,
    },
    {
      key: 'b',
      head: <code>{b}</code>,
      label: b,
      exact: (x) => exactly(x.b?.mean ?? null, x.metric),
      cell: (x) => <SideCell side={x.b} of={x} />,
    },
    {
      key: 'change',
      head: 'difference',
      label: 'difference',
      title: 'B less A, in per cent of A; for an overhead in its unit',
      sort: (x) => (x.metric.absolute ? null : x.change),
      cell: (x) => (x.change === null && x.lost === null ? '' : changeWords(x)),
    },
    {
      key: 'noise',
      head: 'noise of a run',
      label: 'noise of a run',
      title:
        '95 % of runs of the same code are at most this far from where it would be without noise',
      sort: (x) => (x.metric.absolute ? null : x.noise),
      cell: (x) => <span class={x.noise === null ? 'soft' : ''}>{noiseWords(x)}</span>,
    },
  ];
  const notes = [
    c.note,
    ...(c.differs.length ? [`Not the same: ${c.differs.join('; ')}.`] : []),
  ].filter(Boolean);
  return (
    <>
      <Two site={site} commits={c.commits} />
      {notes.map((n) => (
        <Notice role="status">
          <bdi>{cut(n, 600)}</bdi>
        </Notice>
      ))}
      {c.broken.length > 0 && (
        <Notice role="alert">
          {many(c.broken.length, 'line')} of the runs cannot be read and{' '}
          {c.broken.length === 1 ? 'is' : 'are'} left out: {cut(c.broken.join('; '), 300)}
        </Notice>
      )}
      <p class="answer">{summary(c.cells, a, b)}</p>
      <Between site={site} s={s} commits={c.commits} />
      <label class="pick controls">
        <input
          type="checkbox"
          checked={s.metrics === 'all'}
          onChange={(e) => set({ metrics: e.currentTarget.checked ? 'all' : 'main' })}
        />{' '}
        all metrics
      </label>
      <Table
        caption={`${b} beside ${a}, ${s.scenario}`}
        cols={cols}
        rows={c.cells}
        id={(x) => `${x.server} ${x.metric.name}`}
        sort={s.sort}
        onSort={(sort) => set({ sort })}
        empty="Neither run has a figure of this scenario."
      />
      <p class="soft">
        A figure is the mean of a run's rounds, with the least and the greatest round below. The
        noise is that of one run; both runs have it. A verdict compares both versions in the same
        minutes: see the events. <a href={href(root(), 'method', '#band')}>How to read this</a>.
      </p>
    </>
  );
}

function SideCell({ side, of }: { side: Side | null; of: Compared }) {
  if (!side) return <span class="soft">not measured</span>;
  return (
    <>
      {value(side.mean, of.metric)}
      <small class="soft">
        {side.rounds > 1
          ? `${three(side.low * of.metric.scale)} to ${three(side.high * of.metric.scale)}`
          : '1 round'}
      </small>
    </>
  );
}

function Two({ site, commits }: { site: Site; commits: [CommitFacts, CommitFacts] }) {
  const m = site.manifest;
  return (
    <div class="cols">
      {commits.map((c, i) => {
        const own = isOwnRow(m, c.sha);
        const link = own ? undefined : commitLink(m.repository, c.sha),
          run = c.run ? actionsLink(m.repository, c.run) : undefined;
        return (
          <section class="side" aria-label={i ? 'run B' : 'run A'}>
            <h2>
              {i ? 'B' : 'A'}: <code>{c.sha}</code>
            </h2>
            <p>
              <bdi>{c.subject === null ? 'subject unknown' : cut(c.subject, 80)}</bdi>
            </p>
            <p class="soft">
              {own ? (
                'on your own machine'
              ) : (
                <bdi>{c.author === null ? 'author unknown' : cut(c.author, 60)}</bdi>
              )}
              , {moment(c.time)}
            </p>
            <p class="row">
              {c.run && (
                <a href={href(root(), 'run', `?id=${encodeURIComponent(c.run)}`)}>
                  All of this run
                </a>
              )}
              {link && <a href={link}>Commit on GitHub</a>}
              {run && <a href={run}>Workflow run</a>}
            </p>
          </section>
        );
      })}
    </div>
  );
}

/** The events of main between the two commits. */
function Between({
  site,
  s,
  commits: [a, b],
}: {
  site: Site;
  s: TwoRunsState;
  commits: [CommitFacts, CommitFacts];
}) {
  const m = site.manifest;
  const asked = useAnswer(() => site.read<Events>((x) => located(x.events, 'events')), []);
  const [low, high] = [Math.min(a.at, b.at), Math.max(a.at, b.at)];
  return (
    <When asked={asked} what="events">
      {(events) => {
        const here = events.events.filter((f) => f.at !== null && f.at > low && f.at <= high);
        if (here.length === 0) return <p>No event on main between the two.</p>;
        return (
          <>
            <h2>Events on main between the two</h2>
            <ul>
              {here.map((f) => {
                const cell =
                  f.cells.find((c) => covers(c, s.scenario) && c.verdict === f.verdict) ??
                  f.cells[0];
                return (
                  <li>
                    <span class={directionOf(f.verdict)}>
                      {signs[directionOf(f.verdict)]} {f.server}{' '}
                      {directionWords[directionOf(f.verdict)]}
                    </span>
                    {cell && (
                      <>
                        : {cell.scenario}, {metricOf(m.metrics, cell.metric).label}{' '}
                        {changeOf(cell, m.metrics)}
                      </>
                    )}{' '}
                    at <code>{f.head.slice(0, 10)}</code>, {stateOf(f)}
                  </li>
                );
              })}
            </ul>
          </>
        );
      }}
    </When>
  );
}
