// A run's name, and where its files lie.
import type { Manifest } from './form.ts';

export type Kind = 'trend_runs' | 'leaderboard';

/** Where a run's records lie. */
export const recordsPath = (run: string, kind: Kind): string =>
  `runs/${run}${kind === 'leaderboard' ? '.leaderboard' : ''}.jsonl.gz`;
export const detailsPath = (run: string): string => `details/${run}.json.gz`;

/** A run's name, with a workload other than the first behind it; nothing else becomes part of a path. */
export const runForm =
  /^(?:\d{4}\/\d{2}\/[0-9a-f]{10,40}-\d+-\d+(?:\.[a-z]+)?|local\/[\w][\w.-]*)$/;

/** It was made on somebody's own machine, and belongs to no commit of main. */
export const isOwn = (run: string): boolean => run.startsWith('local/');

/** The same of a row: its hash is of no commit. */
export const isOwnRow = (m: Manifest, sha: string): boolean =>
  m.own.some((o) => o.run === `local/${sha}`);

/** There are only runs and comparisons of one's own: main has no part in this site. */
export const ownAlone = (m: Manifest): boolean =>
  m.own.length + m.comparisons.length > 0 && m.own.length === m.commits.count;

/** The commit and the workflow's run in a name: "3f2a9c1e04, run 123-1". */
export function runWords(run: string): string {
  const found = /([0-9a-f]{10})[0-9a-f]*-(\d+-\d+)(?:\.[a-z]+)?$/.exec(run);
  return found ? `${found[1]}, run ${found[2]}` : run;
}
