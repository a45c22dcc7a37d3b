// Scores of a run: 100 is the best server of this run, 50 is half as good. Nothing is
// judged by them: ranks and ties are those of the figures.
import type { Leaderboard } from '../data/types.ts';
import { cellOf, serversOf } from '../data/leaderboard.ts';
import type { Metric } from '../data/form.ts';
import { metricOf } from '../words/verdict.ts';

export interface Axis {
  label: string;
  scenario: string;
  metric: Metric;
}

type Wanted = [label: string, scenario: string, metric: string];

const ofStreams: Wanted[] = [
  ['req/s', 'stress-200', 'rate_per_s'],
  ['CPU', 'steady', 'server_cpu_us_per_stream'],
  ['first token', 'steady', 'ttft_p95_ms'],
  ['stream', 'stress-200', 'stream_p99_ms'],
  ['gap', 'stress-200', 'itl_p99_ms'],
  ['memory', 'stress-200', 'server_rss_peak_bytes'],
];

/** Of requests: where throughput and cost are ranked. */
function ofRequests({ rankings }: Leaderboard): Wanted[] {
  const top = rankings.find((r) => r.metric === 'rate_per_s')?.scenario ?? '';
  const cost = rankings.find((r) => r.metric !== 'rate_per_s');
  return [
    ['req/s', top, 'rate_per_s'],
    ['CPU', cost?.scenario ?? '', cost?.metric ?? ''],
    ['request', cost?.scenario ?? '', 'request_p95_ms'],
    ['first byte', cost?.scenario ?? '', 'ttfb_p95_ms'],
    ['tail', top, 'request_p99_ms'],
    ['memory', top, 'server_rss_peak_bytes'],
  ];
}

const wanted = (leaderboard: Leaderboard): Wanted[] =>
  leaderboard.columns.includes('request_p95_ms') ? ofRequests(leaderboard) : ofStreams;

export const axisMetrics = (leaderboard: Leaderboard): string[] =>
  wanted(leaderboard).map(([, , metric]) => metric);
export const axisScenarios = (leaderboard: Leaderboard): string[] => [
  ...new Set(wanted(leaderboard).map(([, scenario]) => scenario)),
];

export interface Scored {
  figure: number | null;
  score: number | null;
  absent: 'failed' | 'not measured';
}
export interface Scores {
  server: string;
  by: Scored[];
} // an axis each

/** Axes with a figure of at least one server. */
export const axesOf = (leaderboard: Leaderboard, metrics: Metric[]): Axis[] =>
  wanted(leaderboard)
    .filter(([, scenario, metric]) =>
      serversOf(leaderboard).some((s) => cellOf(leaderboard, scenario, s, metric)),
    )
    .map(([label, scenario, metric]) => ({ label, scenario, metric: metricOf(metrics, metric) }));

/** A figure against the best of the run; null: there is none, or the best is 0. */
export function score(value: number | null, best: number, better: Metric['better']): number | null {
  if (value === null || value < 0 || best < 0) return null;
  if (value === best) return 100;
  return better === 'higher' ? (100 * value) / best : (100 * best) / value;
}

export function scoresOf(leaderboard: Leaderboard, axes: Axis[]): Scores[] {
  const servers = serversOf(leaderboard);
  const columns = axes.map(({ scenario, metric }) => {
    const figures = servers.map((s) => cellOf(leaderboard, scenario, s, metric.name)?.[0] ?? null);
    const known = figures.filter((v) => v !== null);
    const best = metric.better === 'higher' ? Math.max(...known) : Math.min(...known);
    return figures.map((figure, i): Scored => {
      const row = leaderboard.tables
        .find((t) => t.scenario === scenario)
        ?.rows.find((r) => r.target === servers[i]);
      return {
        figure,
        score: score(figure, best, metric.better),
        absent: row?.status === 'invalid' ? 'failed' : 'not measured',
      };
    });
  });
  return servers.map((server, i) => ({ server, by: columns.map((c) => c[i]!) }));
}

/** Without digits that the noise has no meaning for; what has no score says why. */
export const scoreText = ({ score: s, absent }: Scored): string =>
  s === null ? absent : s.toFixed(s < 10 ? 1 : 0);

/** Who is best on each axis. */
export function bestOf(rows: Scores[], axes: Axis[]): string {
  return axes
    .map(
      (a, i) =>
        `${a.label} ${rows
          .filter((r) => r.by[i]!.score === 100)
          .map((r) => r.server)
          .join(' and ')}`,
    )
    .join(', ');
}
