import { useRef } from 'preact/hooks';
import { Headline } from '../comparison/headline.tsx';
import { commitAt, commitsOf, type CommitFacts } from '../data/commits.ts';
import { located, type Site } from '../data/fetch.ts';
import type { Events } from '../data/form.ts';
import type { Health } from '../data/types.ts';
import { newestLeaderboard } from '../data/leaderboard.ts';
import { allComparisons, keeping, noun } from '../data/workload.ts';
import { isOwn, ownAlone } from '../data/runs.ts';
import { mount } from '../frame/frame.tsx';
import { Guard } from '../frame/guard.tsx';
import { Notice } from '../frame/notice.tsx';
import { href } from '../frame/href.ts';
import { Matrix } from '../health/matrix.tsx';
import { NewestEvents, OpenEvents, parted } from '../health/events.tsx';
import { Standing } from '../health/standing.tsx';
import { Troubles } from '../health/troubles.tsx';
import { useAnswer, When } from '../state/answer.tsx';
import { measured, measuredSentence, openSentence } from '../words/health.ts';
import { listed, many, moment } from '../words/numbers.ts';
import { shortRun } from '../words/short.ts';
import { commitLink, cut } from '../words/text.ts';
import { directionOf, signs } from '../words/verdict.ts';

const MOST_OWN = 10;

function Newest({ site, commit, said }: { site: Site; commit: CommitFacts; said: string }) {
  if (commit.run !== null && isOwn(commit.run))
    return (
      <p>
        The newest figures below come from your own machine,{' '}
        <a href={href(site.root, 'run', `?id=${commit.run}`)}>
          {cut(commit.subject ?? commit.run, 80)}
        </a>
        : {said}.
      </p>
    );
  const url = commitLink(site.manifest.repository, commit.sha);
  const sha = <code>{commit.sha}</code>;
  return (
    <p>
      Newest measured commit {url ? <a href={url}>{sha}</a> : sha}
      {commit.subject !== null && <> “{cut(commit.subject, 80)}”</>}, {moment(commit.time)}: {said}.
      {commit.run !== null && (
        <>
          {' '}
          <a href={href(site.root, 'run', `?id=${commit.run}`)}>Its run</a>.
        </>
      )}
    </p>
  );
}

const Answer = ({ open }: { open: number }) => (
  <p class={`answer ${open ? 'worse' : ''}`}>
    <strong>
      {open ? signs.worse : signs.unclear} {openSentence(open)}
    </strong>
  </p>
);

/** Runs on one's own machine: where their figures are. */
function Own({ site }: { site: Site }) {
  const { own } = site.manifest;
  if (own.length === 0) return null;
  return (
    <>
      <p class="answer">
        <strong>{own.length === 1 ? 'A run' : many(own.length, 'run')} on your own machine.</strong>{' '}
        {own[0]?.quick
          ? 'Its figures are on the'
          : 'The cheapest and the fastest server are on the'}{' '}
        <a href={href(site.root, 'leaderboard')}>Leaderboard</a>.
      </p>
      <ul>
        {own.slice(0, MOST_OWN).map((o) => (
          <li>
            {cut(o.text, 80)}, {moment(Date.parse(o.time) / 1000)}
            {o.quick && ', shortened'}
            {o.failed.length > 0 && (
              <>
                , <span class="worse">without figures: {listed(o.failed)}</span>
              </>
            )}
            :{' '}
            <a href={href(site.root, 'leaderboard', `?run=${o.run}`)}>
              {o.quick ? 'figures' : 'ranks'}
              <span class="hidden"> of {o.text}</span>
            </a>
            ,{' '}
            <a href={href(site.root, 'run', `?id=${o.run}`)}>
              records and timelines<span class="hidden"> of {o.text}</span>
            </a>
          </li>
        ))}
      </ul>
      {own.length > MOST_OWN && (
        <p>
          {many(own.length - MOST_OWN, 'more run')} {own.length - MOST_OWN === 1 ? 'is' : 'are'} on
          the <a href={href(site.root, 'run')}>Run</a> page.
        </p>
      )}
      {own.some((o) => o.quick) && <Notice>{shortRun}</Notice>}
    </>
  );
}

/** Comparisons on one's own machine: the verdict of each server. */
function Comparisons({ site }: { site: Site }) {
  const comparisons = allComparisons(site.manifest);
  if (comparisons.length === 0) return null;
  return (
    <section aria-labelledby="comparisons">
      <h2 id="comparisons">
        {comparisons.length === 1 ? 'A comparison' : many(comparisons.length, 'comparison')} on your
        own machine
      </h2>
      <ul class="verdicts">
        {comparisons.slice(0, MOST_OWN).flatMap((c) =>
          c.verdicts.map((v) => {
            const direction = directionOf(v.verdict);
            return (
              <li>
                <strong class={direction}>
                  {signs[direction]} {v.server}
                </strong>{' '}
                <Headline text={cut(v.headline, 240)} />.
                <small>
                  {' '}
                  {cut(c.text, 80)}, {moment(Date.parse(c.time) / 1000)}
                  {c.quick && ', shortened'}
                  {site.manifest.workloads.length > 1 && `, workload ${c.workload}`}.{' '}
                  <a href={`${site.root}run/${keeping(`?id=${c.run}`, c.kept)}`}>
                    Cells and rounds
                    <span class="hidden">
                      {' '}
                      of {v.server} in {c.text}
                    </span>
                  </a>
                </small>
              </li>
            );
          }),
        )}
      </ul>
    </section>
  );
}

/** For a newcomer. */
const What = ({ site }: { site: Site }) => (
  <p class="soft">
    {noun() === 'stream'
      ? "Chat servers pass on a language model's answer, token by token. They"
      : `The servers of the workload ${site.manifest.workload} answer requests. They`}{' '}
    are measured side by side, and on every commit: <a href={href(site.root, 'method')}>how</a>, and{' '}
    <a href={href(site.root, 'method', '#words')}>what the words mean</a>.
  </p>
);

function Empty({ site }: { site: Site }) {
  return (
    <>
      <h1>Health</h1>
      <What site={site} />
      <p class="answer">Nothing has been measured yet.</p>
      <p>
        The first run on main fills this page. To see figures of your own machine, call{' '}
        <code>scripts/bench run</code>, then <code>scripts/bench site</code> with its{' '}
        <code>run.jsonl</code>. Health shows comparisons of <code>scripts/bench compare</code>, too.
      </p>
    </>
  );
}

function Page({ site }: { site: Site }) {
  const health = useAnswer(
    () => site.read<Health>((m) => located(m.health, 'the newest figures')),
    [],
  );
  const events = useAnswer(() => site.read<Events>((m) => located(m.events, 'the events')), []);
  const leaderboard = useAnswer(
    site.manifest.leaderboard === null ? null : () => newestLeaderboard(site),
    [],
  );
  const at = health.answer?.ok ? health.answer.value.commit : null;
  const { count } = site.manifest.commits;
  const commits = useAnswer(count === 0 ? null : () => commitsOf(site), []);
  // The page waits for everything above the table, so that nothing moves later.
  const started = useRef(false);
  const ranked = site.manifest.leaderboard === null || leaderboard.answer !== undefined;
  if (health.answer && events.answer && ranked && (at === null || commits.answer))
    started.current = true;
  if (count === 0)
    return allComparisons(site.manifest).length === 0 ? (
      <Empty site={site} />
    ) : (
      <>
        <h1>Health</h1>
        <What site={site} />
        <Comparisons site={site} />
      </>
    );
  const alone = ownAlone(site.manifest);
  return (
    <>
      <h1>Health</h1>
      <What site={site} />
      <When
        asked={started.current ? health : { ...health, answer: undefined }}
        what="the newest figures"
        tall
      >
        {(h) => {
          const open = h.open ?? [];
          return (
            <>
              <Own site={site} />
              <Comparisons site={site} />
              {!alone && <Answer open={open.length} />}
              {events.answer?.ok && (
                <Guard what="the events">
                  <OpenEvents site={site} events={events.answer.value} health={h} />
                </Guard>
              )}
              {at !== null && (
                <div class="newest">
                  <When asked={commits} what="the newest commit">
                    {(c) => (
                      <Newest
                        site={site}
                        commit={commitAt(c, at)}
                        said={measuredSentence(measured(h))}
                      />
                    )}
                  </When>
                </div>
              )}
              <Troubles health={h} />
              {site.manifest.leaderboard !== null && (
                <When asked={leaderboard} what="the newest leaderboard">
                  {(l) => <Standing site={site} leaderboard={l} />}
                </When>
              )}
              {(at !== null || !alone) && (
                <Matrix
                  site={site}
                  health={h}
                  open={events.answer?.ok ? parted(events.answer.value.events, open).open : []}
                />
              )}
              {at !== null && (
                <p class="soft">
                  A line shows the newest 50 measured commits. Runs of unchanged code fall into its
                  shade in 95 % of cases. A figure outside is a reason to look; a verdict compares
                  both versions in the same minutes.{' '}
                  <a href={href(site.root, 'method', '#band')}>How to read this</a>.
                </p>
              )}
              {!alone && (
                <When asked={events} what="the events">
                  {(f) => <NewestEvents site={site} events={f} health={h} />}
                </When>
              )}
            </>
          );
        }}
      </When>
    </>
  );
}

void mount(Page);
