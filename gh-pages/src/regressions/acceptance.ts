// An acceptance is a file on main (scripts/internal/judge/accept). The page drafts it; somebody adds
// the reason and opens a pull request.
import type { Event } from '../data/form.ts';
import { web } from '../words/text.ts';

export interface Draft {
  path: string;
  text: string;
}

/** One file for all regressed cells. A person fills in reason and by. */
export function draft(event: Event): Draft {
  const cells = event.cells.filter((c) => c.verdict === 'regressed');
  const same = (of: string[]) => (new Set(of).size === 1 ? of[0]! : '*');
  const acceptance = {
    workload: event.workload,
    server: event.server,
    scenario: same(cells.map((c) => c.scenario)),
    metric: same(cells.map((c) => c.metric)),
    since: event.head,
    reason: '',
    by: '',
    expires: null,
  };
  return {
    path: `gh-pages/accepted/${event.workload}.${event.server}-${event.head.slice(0, 10)}.json`,
    text: `${JSON.stringify(acceptance, null, 2)}\n`,
  };
}

/** The repository's page for a new file, filled in; undefined: no repository is known. */
export function newFile(repository: string | null, d: Draft): string | undefined {
  const base = web(repository);
  return base && `${base}/new/main?${new URLSearchParams({ filename: d.path, value: d.text })}`;
}
