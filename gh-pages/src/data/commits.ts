// The commits of the history, and their runs.
import { located, type Answer, type Site } from './fetch.ts';
import type { Commits, RunRow, Runs } from './form.ts';

export interface CommitFacts {
  at: number;
  sha: string;
  time: number | null;
  subject: string | null;
  author: string | null;
  run: string | null;
  epoch: number | null;
  quick: boolean;
}

export const commitsOf = (site: Site): Promise<Answer<Commits>> =>
  site.read<Commits>((m) => located(m.commits.file, 'the list of commits'));

/** The commit at a place of the history; outside of it all is unknown. */
export const commitAt = (all: Commits, at: number): CommitFacts => ({
  at,
  sha: all.sha[at] ?? '',
  time: all.time[at] ?? null,
  subject: all.subject[at] ?? null,
  author: all.author[at] ?? null,
  run: all.run[at] ?? null,
  epoch: all.epoch[at] ?? null,
  quick: all.quick[at] === 1,
});

/** The place of the newest commit whose hash begins so; -1: there is none. */
export const placeOf = (all: Commits, sha: string): number =>
  all.sha.findLastIndex((s) => s.startsWith(sha.slice(0, 10)));

export const runsOf = (site: Site): Promise<Answer<Runs>> =>
  site.read<Runs>((m) => located(m.runs, 'the list of runs'));

/** What there is of a run; null: it is in no list. */
export async function runRow(site: Site, run: string): Promise<Answer<RunRow | null>> {
  const all = await runsOf(site);
  if (!all.ok) return all;
  return { ok: true, value: all.value.runs.find((r) => r.run === run) ?? null };
}
