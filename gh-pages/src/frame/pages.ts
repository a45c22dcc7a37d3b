/**
 * A page's address; query begins with ? or is empty. Without a root there is one page alone, and a
 * link leads to a place on it.
 */
export function href(root: string, name: string, query = ''): string {
  if (root === '') return `#${query.split('#')[1] ?? name}`;
  return `${root}${name === 'health' ? '' : `${name}/`}${query}`;
}
