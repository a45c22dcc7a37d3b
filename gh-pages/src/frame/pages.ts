import { titles } from './titles.ts';

export const navigation = Object.entries(titles).filter(([name]) => PAGES.includes(name));

export const built = (name: string): boolean => PAGES.includes(name);

/** A page's address; query begins with ? or is empty. */
export const href = (root: string, name: string, query = ''): string => `${root}${name === 'health' ? '' : `${name}/`}${query}`;
