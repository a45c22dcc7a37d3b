/** All pages in the order of the navigation; run is reached from others only. */
const titles: Record<string, string> = {
  health: 'Health', trend: 'Trend', leaderboard: 'Leaderboard', compare: 'Compare', regressions: 'Regressions',
  scores: 'Scores', memory: 'Memory', method: 'Method',
};

export const navigation = Object.entries(titles).filter(([name]) => PAGES.includes(name));

export const built = (name: string): boolean => PAGES.includes(name);

/** A page's address; query begins with ? or is empty. */
export const href = (root: string, name: string, query = ''): string => `${root}${name === 'health' ? '' : `${name}/`}${query}`;
