// A run's name, and where its files lie.

export type Kind = 'legs' | 'rank';

/** Where a run's records lie. */
export const recordsPath = (run: string, kind: Kind): string => `runs/${run}${kind === 'rank' ? '.rank' : ''}.jsonl.gz`;
export const detailsPath = (run: string): string => `details/${run}.json.gz`;

/** A run's name; nothing else becomes part of a path. */
export const runForm = /^(?:\d{4}\/\d{2}\/[0-9a-f]{10,40}-\d+-\d+|local\/[\w][\w.-]*)$/;

/** The commit and the workflow's run in a name: "3f2a9c1e04, run 123-1". */
export function runWords(run: string): string {
  const found = /([0-9a-f]{10})[0-9a-f]*-(\d+-\d+)$/.exec(run);
  return found ? `${found[1]}, run ${found[2]}` : run;
}
