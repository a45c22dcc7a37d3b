// Ranks and ties in words, as `scripts/bench report` has them: the same run reads
// the same here and there.

/** A server somewhere between its best and its worst rank. */
export type Ranked = {
  server: string;
  best: number;
  worst: number;
  ratio: number; // to the first, of geometric means over rounds
  low: number | null; // interval of the ratio; null with one round
  high: number | null;
  suspect: boolean;
};

/** Servers by one metric of one scenario, best first. */
export type Ranking = {
  scenario: string;
  metric: string;
  rounds: number;
  apart_pct: number | null; // what differs by less is tied; null with one round
  why: string; // there is no ranking; else ""
  ranked: Ranked[];
  left: string[]; // that lack a round, or of whose streams some failed
};

/** A rank, or its range; "?" where one round says nothing of chance. */
export function place(ranking: Ranking, server: string): string {
  const s = ranking.ranked.find((r) => r.server === server);
  if (!s) return '-';
  if (ranking.rounds < 2) return '?';
  return s.best === s.worst ? String(s.best) : `${s.best}-${s.worst}`;
}

/** How many times the first's a server's figure is, with its interval. */
export function times(ranking: Ranking, server: string): { text: string; spread: string } {
  const i = ranking.ranked.findIndex((r) => r.server === server);
  const s = ranking.ranked[i];
  if (!s) return { text: '-', spread: '' };
  const interval = i > 0 && s.low !== null && s.high !== null;
  return { text: s.ratio.toFixed(2), spread: interval ? `${s.low!.toFixed(2)} to ${s.high!.toFixed(2)}` : '' };
}

const words: Record<string, { does: string; did: string; first: string; degree: string; last: string }> = {
  rate_per_s: { does: 'serves', did: 'served', first: 'the most streams per second', degree: 'the most', last: 'the fewest' },
  server_cpu_us_per_stream: { does: 'takes', did: 'took', first: 'the least CPU for a stream', degree: 'the least', last: 'the most' },
};

/** The ranking in a line: the first, who is tied with it, the last. `figure` is a server's figure as text, with its unit. */
export function sentence(ranking: Ranking, figure: (server: string) => string): string {
  if (ranking.why) return `${what(ranking)} is not ranked: ${ranking.why}.`;
  const [one] = ranking.ranked;
  const end = ranking.ranked.at(-1);
  if (!one || !end) return `${what(ranking)} is not ranked: no server was loaded.`;
  const w = words[ranking.metric] ?? { does: 'has', did: 'had', first: 'the best figure', degree: 'the best figure', last: 'the worst' };
  const tied = ranking.ranked.slice(1).filter((s) => s.best === 1).map((s) => s.server);
  const left = ranking.left.length ? `; without a rank, since streams failed or rounds are missing: ${ranking.left.join(', ')}` : '';
  if (ranking.rounds >= 2 && tied.length === ranking.ranked.length - 1) {
    return `In ${ranking.scenario} no server is told apart from ${one.server}, which ${w.does} ${w.degree} (${figure(one.server)})${left}.`;
  }
  const begin = ranking.rounds < 2
    ? `In ${ranking.scenario}, in the one round, ${one.server} ${w.did} ${w.first} (${figure(one.server)})`
    : `In ${ranking.scenario} ${one.server} ${w.does} ${w.first} (${figure(one.server)})${tied.length ? `, tied with ${tied.join(', ')}` : ''}`;
  return `${begin}; ${end.server} ${w.last} (${figure(end.server)}, x${end.ratio.toFixed(2)})${left}.`;
}

const what = (ranking: Ranking) => (ranking.metric === 'rate_per_s' ? 'Throughput' : ranking.metric === 'server_cpu_us_per_stream' ? 'Cost' : ranking.metric);

/** When servers of the ranking are tied. */
export function tie(ranking: Ranking): string {
  if (ranking.rounds < 2 || ranking.apart_pct === null) {
    return 'One round: the order is as it was seen, and no rank is given, since nothing says how much of it is chance.';
  }
  return `Less than ${ranking.apart_pct.toFixed(1)} % apart is a tie; the rank is then a range.`;
}

export const tieRule = "Two servers are tied when they differ by no more than what is left between the rounds once each server's and each round's mean is taken away "
  + '(Student\'s t over all pairs of servers, 5 % risk that any two equal ones are told apart). Only differences within a round count, and the order is that of geometric means over the rounds.';
