// A run's name, and where its files lie.

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
