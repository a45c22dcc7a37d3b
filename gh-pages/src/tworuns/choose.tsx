import { Button } from '../frame/button.tsx';
import { useEffect, useState } from 'preact/hooks';
import { commitsOf, type CommitFacts } from '../data/commits.ts';
import { failureWords, type Site } from '../data/fetch.ts';
import { found } from './load.ts';
import type { TwoRunsState } from './state.ts';

export interface ChooseProps {
  site: Site;
  s: TwoRunsState;
  set: (change: Partial<TwoRunsState>) => void;
  now: [CommitFacts, CommitFacts] | null;
}

export function Choose({ site, s, set, now }: ChooseProps) {
  const m = site.manifest;
  const measured = m.scenarios.filter((sc) =>
    Object.keys(m.series).some((k) => k.startsWith(`${sc}/`)),
  );
  return (
    <div class="choose controls">
      <div class="row">
        <Pick site={site} label="A" sha={s.a} now={now?.[0].sha} choose={(a) => set({ a })} />
        <Pick site={site} label="B" sha={s.b} now={now?.[1].sha} choose={(b) => set({ b })} />
        <Button off={!now} onPress={() => now && set({ a: now[1].sha, b: now[0].sha })}>
          Swap
        </Button>
        <Button off={s.a === '' && s.b === ''} onPress={() => set({ a: '', b: '' })}>
          Newest against the one before
        </Button>
        <label class="field">
          Scenario
          <select value={s.scenario} onChange={(e) => set({ scenario: e.currentTarget.value })}>
            {measured.map((sc) => (
              <option value={sc}>{sc}</option>
            ))}
          </select>
        </label>
      </div>
    </div>
  );
}

/** A commit by the begin of its hash, or a day. */
function Pick({
  site,
  label,
  sha,
  now,
  choose,
}: {
  site: Site;
  label: string;
  sha: string;
  now: string | undefined;
  choose: (sha: string) => void;
}) {
  const [text, write] = useState(sha);
  const [wrong, say] = useState('');
  useEffect(() => {
    write(sha || (now ?? ''));
    say('');
  }, [sha, now]);
  const look = async () => {
    const asked = text.trim().toLowerCase();
    if (asked === (sha || now)) return;
    if (asked === '') return choose('');
    const commits = await commitsOf(site);
    const at = commits.ok ? found(commits.value, asked) : -1;
    if (!commits.ok) say(failureWords(commits));
    else if (at < 0)
      say(
        `${asked.slice(0, 40)}: no such commit was measured. Type four or more digits of a hash, or a day like 2026-11-20.`,
      );
    else {
      say('');
      choose(commits.value.sha[at]!);
    }
  };
  return (
    <form
      class="field"
      onSubmit={(e) => {
        e.preventDefault();
        void look();
      }}
    >
      <label>
        {label}
        <input
          type="text"
          value={text}
          spellcheck={false}
          autocomplete="off"
          maxLength={40}
          onInput={(e) => write(e.currentTarget.value)}
          onBlur={() => void look()}
        />
      </label>
      {wrong && (
        <span class="worse" role="alert">
          {wrong}
        </span>
      )}
    </form>
  );
}
