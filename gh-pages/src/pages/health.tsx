import { commitAt, type CommitFacts } from '../data/commits.ts';
import { located, type Site } from '../data/fetch.ts';
import type { Flags } from '../data/form.ts';
import type { Health } from '../data/health.ts';
import { mount } from '../frame/frame.tsx';
import { href } from '../frame/pages.ts';
import { Matrix } from '../health/matrix.tsx';
import { NewestFlags, OpenFlags } from '../health/flags.tsx';
import { Troubles } from '../health/troubles.tsx';
import { useAnswer, When } from '../state/answer.tsx';
import { measured, measuredSentence, openSentence } from '../words/health.ts';
import { moment } from '../words/numbers.ts';
import { commitLink, cut } from '../words/text.ts';
import { signs } from '../words/verdict.ts';

function Newest({ site, commit, said }: { site: Site; commit: CommitFacts; said: string }) {
  const url = commitLink(site.manifest.repository, commit.sha);
  const sha = <code>{commit.sha}</code>;
  return (
    <p>
      Newest measured commit {url ? <a href={url}>{sha}</a> : sha}{commit.subject !== null && <> “{cut(commit.subject, 80)}”</>}, {moment(commit.time)}: {said}.
      {commit.run !== null && <> <a href={href(site.root, 'run', `?id=${commit.run}`)}>Its run</a>.</>}
    </p>
  );
}

/** The answer: of main whether it got worse, of a run on one's own machine where its figures are. */
function Answer({ site, open, local }: { site: Site; open: number; local: boolean }) {
  if (local) return <p class="answer"><strong>A run on your own machine.</strong> Which server is cheapest and which serves most is on the <a href={href(site.root, 'leaderboard')}>Leaderboard</a>.</p>;
  return <p class={`answer ${open ? 'worse' : ''}`}><strong>{open ? signs.worse : signs.unclear} {openSentence(open)}</strong></p>;
}

function Empty() {
  return (
    <>
      <h1>Health</h1>
      <p class="answer">Nothing has been measured yet.</p>
      <p>The first run on main fills this page. To see figures of your own machine now: <code>scripts/bench run</code>, and then <code>scripts/bench publish</code> with its <code>run.jsonl</code>.</p>
    </>
  );
}

function Page({ site }: { site: Site }) {
  const health = useAnswer(() => site.read<Health>((m) => located(m.health, 'what the newest run says')), []);
  const flags = useAnswer(() => site.read<Flags>((m) => located(m.flags, 'the verdicts')), []);
  const at = health.answer?.ok ? health.answer.value.commit : null;
  const commit = useAnswer(at === null ? null : () => commitAt(site, at), [at]);
  if (site.manifest.commits.count === 0) return <Empty />;
  return (
    <>
      <h1>Health</h1>
      <When asked={health} what="what the newest run says" tall>
        {(h) => {
          const open = h.open ?? [];
          return (
            <>
              <Answer site={site} open={open.length} local={open.length === 0 && (h.run ?? '').startsWith('local/')} />
              {flags.answer?.ok && <OpenFlags site={site} flags={flags.answer.value} health={h} />}
              {at !== null && <div class="newest"><When asked={commit} what="the newest commit">{(c) => <Newest site={site} commit={c} said={measuredSentence(measured(h))} />}</When></div>}
              <Troubles health={h} />
              <Matrix site={site} health={h} />
              <p class="soft">
                A line is the newest 50 measured commits, its shade where unchanged code would be. A figure outside it is a reason to look; a verdict takes both versions in the same minutes. <a href={href(site.root, 'method', '#band')}>How to read this</a>.
              </p>
              <When asked={flags} what="the verdicts">{(f) => <NewestFlags site={site} flags={f} health={h} />}</When>
            </>
          );
        }}
      </When>
    </>
  );
}

void mount('health', Page);
