// Text of commits and records comes from anybody.

/**
 * Marks that would turn the direction of the text after them, and control characters, made visible.
 * Those that join letters and emoji stay.
 */
export const plain = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    '\ufffd',
  );

/** At most this many characters, as people count them. */
export function cut(text: string, most: number): string {
  const all = [...plain(text)];
  return all.length <= most ? all.join('') : `${all.slice(0, most - 1).join('')}…`;
}

/** A link of the web, or none: what a file says may be javascript:. */
export const web = (url: string | null): string | undefined =>
  url !== null && /^https:\/\/[^\s"'<>]+$/.test(url) ? url : undefined;

/** The commit's page where the repository has one. */
export const commitLink = (repository: string | null, sha: string): string | undefined => {
  const base = web(repository);
  return base && /^[0-9a-f]{7,40}$/.test(sha) ? `${base}/commit/${sha}` : undefined;
};

/** The workflow's run: 123-1, or the path of a run's file, 2026/11/SHA-123-1 or 2026/11/SHA-123-1.web. */
export const actionsLink = (repository: string | null, run: string): string | undefined => {
  const base = web(repository);
  const found = /(?:^|-)(\d+)-(\d+)(?:\.[a-z]+)?$/.exec(run);
  return base && found ? `${base}/actions/runs/${found[1]}/attempts/${found[2]}` : undefined;
};
