/** Pages that every page leads to; a run is reached from others only. */
export const navigation = PAGES.filter(([name]) => name !== 'run');

/** A page's address; query begins with ? or is empty. */
export const href = (root: string, name: string, query = ''): string => `${root}${name === 'health' ? '' : `${name}/`}${query}`;
