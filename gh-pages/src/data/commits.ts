// One commit out of its block.
import { located, type Answer, type Site } from './fetch.ts';
import type { Commits, RunBlock, RunRow, Runs } from './form.ts';

export interface CommitFacts {
  at: number;
  sha: string;
  time: number | null;
  subject: string | null;
  author: string | null;
  run: string | null;
  epoch: number | null;
}

function ofBlock(block: Commits, at: number): CommitFacts {
  const i = at - block.first;
  return {
    at,
    sha: block.sha[i] ?? '',
    time: block.time[i] ?? null,
    subject: block.subject[i] ?? null,
    author: block.author[i] ?? null,
    run: block.run[i] ?? null,
    epoch: block.epoch[i] ?? null,
  };
}

const block = (site: Site, number: number) =>
  site.read<Commits>((m) => located(m.commits.files[number], `commits, block ${number}`));

/** The commit at a place of the history. */
export async function commitAt(site: Site, at: number): Promise<Answer<CommitFacts>> {
  const answer = await block(site, Math.floor(at / site.manifest.commits.block));
  return answer.ok ? { ok: true, value: ofBlock(answer.value, at) } : answer;
}

/** The newest commit whose hash begins so; null: there is none. */
export async function commitOf(site: Site, sha: string): Promise<Answer<CommitFacts | null>> {
  for (let number = site.manifest.commits.files.length - 1; number >= 0; number--) {
    const answer = await block(site, number);
    if (!answer.ok) return answer;
    const i = answer.value.sha.findLastIndex((s) => s.startsWith(sha.slice(0, 10)));
    if (i >= 0) return { ok: true, value: ofBlock(answer.value, answer.value.first + i) };
  }
  return { ok: true, value: null };
}

export const newestRuns = (site: Site): Promise<Answer<Runs>> =>
  site.read<Runs>((m) => located(m.runs, 'the list of runs'));

/** Runs of a full block of commits, newest first. */
export const runsOf = (site: Site, number: number): Promise<Answer<RunBlock>> =>
  site.read<RunBlock>(async (_, s) => {
    const newest = await newestRuns(s);
    return newest.ok ? located(newest.value.files[number], `runs, block ${number}`) : newest;
  });

/** What there is of a run; null: it is in no list. */
export async function runRow(site: Site, run: string): Promise<Answer<RunRow | null>> {
  const newest = await newestRuns(site);
  if (!newest.ok) return newest;
  const found = newest.value.runs.find((r) => r.run === run);
  if (found) return { ok: true, value: found };
  for (const file of newest.value.files.toReversed()) {
    const answer = await site.read<RunBlock>(() => located(file, file));
    if (!answer.ok) return answer;
    const row = answer.value.runs.find((r) => r.run === run);
    if (row) return { ok: true, value: row };
  }
  return { ok: true, value: null };
}
