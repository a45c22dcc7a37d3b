import { keeping } from '../data/workload.ts';

/**
 * A page's address, of the workload that is shown; query begins with ? or is empty. Without a root there is one page alone, and a
 * link leads to a place on it.
 */
export function href(root: string, name: string, query = ''): string {
  if (root === '') return `#${query.split('#')[1] ?? name}`;
  return `${root}${name === 'health' ? '' : `${name}/`}${keeping(query)}`;
}
