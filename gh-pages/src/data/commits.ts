// The commits of the history, and their runs.
import type { Answer, Site } from './fetch.ts';
import type { Commits, Runs } from './form.ts';

export interface CommitFacts {
  sha: string;
  time: number | null;
  subject: string | null;
  author: string | null;
  run: string | null;
  epoch: number | null;
}

export const commitsOf = (site: Site): Promise<Answer<Commits>> =>
  site.read<Commits>(site.manifest.commits.file);

/** The commit at a place of the history; outside of it all is unknown. */
export const commitAt = (all: Commits, at: number): CommitFacts => ({
  sha: all.sha[at] ?? '',
  time: all.time[at] ?? null,
  subject: all.subject[at] ?? null,
  author: all.author[at] ?? null,
  run: all.run[at] ?? null,
  epoch: all.epoch[at] ?? null,
});

/** The place of the newest commit whose hash begins so; -1: there is none. */
export const placeOf = (all: Commits, sha: string): number =>
  all.sha.findLastIndex((s) => s.startsWith(sha.slice(0, 10)));

export const runsOf = (site: Site): Promise<Answer<Runs>> => site.read<Runs>(site.manifest.runs);
