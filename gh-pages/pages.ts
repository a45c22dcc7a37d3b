// The pages, in the order of the navigation, with the text that each shows before its script runs or
// without scripts. ROOT is where the site begins.
export interface PageText {
  title: string;
  description: string; // for search engines
  unscripted: string; // HTML for readers without scripts
}

const files = 'Their files are listed in <a href="ROOT/data/manifest.json">data/manifest.json</a>';

/** Pages that the navigation leaves out, since other pages lead to them. */
export const inner = ['run', 'charts'];

export const pages: Record<string, PageText> = {
  health: {
    title: 'Health',
    description:
      'Did a server get worse on main? Which server, when, by how much, and how sure that is.',
    unscripted: `The newest events and figures are drawn by a script. ${files}.`,
  },
  trend: {
    title: 'Trend',
    description:
      'Throughput, latency, CPU cost and memory of each streaming server, commit by commit, ' +
      'with the noise between runs and every event.',
    unscripted: `The charts are drawn by a script. ${files}.`,
  },
  leaderboard: {
    title: 'Leaderboard',
    description:
      'All streaming servers loaded in the same minutes: throughput, latency, CPU cost and ' +
      'memory, with intervals, ties and scores.',
    unscripted: `The tables are drawn by a script. ${files}.`,
  },
  tworuns: {
    title: 'Two runs',
    description:
      'The runs of any two commits side by side, with the noise of a run and the events between ' +
      'them.',
    unscripted: `The table is drawn by a script from the records of the runs. ${files}.`,
  },
  regressions: {
    title: 'Regressions',
    description:
      'Every event on main: which server, which commit, what changed and by how much, and who ' +
      'accepted it.',
    unscripted: `The list is drawn by a script. ${files}.`,
  },
  run: {
    title: 'Run',
    description:
      'One run in full: every record, its timelines and distributions, and the reason for each ' +
      'warning.',
    unscripted: `The run is unpacked by a script. Its files are under runs/: JSON Lines, packed by gzip.`,
  },
  charts: {
    title: 'Charts',
    description:
      'The points that github-action-benchmark compares on main, a chart and a table for each ' +
      'server.',
    unscripted: `The charts are drawn by a script. Their data is charts/data.js.`,
  },
  method: {
    title: 'Method',
    description:
      'How servers are measured and judged, what a band and an event mean, and how often a ' +
      'verdict is wrong.',
    unscripted:
      'This page needs a script for its figures. The repository also describes the method, in ' +
      'scripts/internal/measure/load/README.md.',
  },
};
