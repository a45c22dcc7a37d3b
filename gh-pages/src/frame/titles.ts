/** All pages in the order of the navigation; run is reached from others only. */
export const titles: Record<string, string> = {
  health: 'Health', trend: 'Trend', leaderboard: 'Leaderboard', compare: 'Compare', regressions: 'Regressions',
  scores: 'Scores', memory: 'Memory', method: 'Method',
};
