/** A page's address; query begins with ? or is empty. */
export const href = (root: string, name: string, query = ''): string => `${root}${name === 'health' ? '' : `${name}/`}${query}`;
