// A run in which all servers were loaded in the same minutes: data/rank.HASH.json (type
// Rank in scripts/internal/show/site/form.go).
import { located, type Answer, type Site } from './fetch.ts';

/** Median, least and greatest of the rounds that count, in the metric's unit; null is unknown. */
export type RankCell = [median: number, low: number, high: number] | null;

export interface RankRow {
  target: string;
  language: string;
  framework: string;
  versions: Record<string, string> | null;
  status: 'ok' | 'suspect' | 'invalid'; // the worst of its records'
  why: string[] | null; // text from outside
  cells: RankCell[]; // a column each
}

export interface RankTable {
  scenario: string;
  rows: RankRow[];
} // direct last

/** A server somewhere between its best and its worst rank; 0: one round gives no ranks. */
export interface Ranked {
  server: string;
  best: number;
  worst: number;
  ratio: number;
  low: number | null;
  high: number | null;
}

/** Servers of one scenario by one metric, best first. */
export interface Ranking {
  scenario: string;
  metric: string;
  rounds: number;
  apart_pct: number | null; // what differs by less is tied; null: one round, no ranks
  why: string; // there is no ranking; else ""
  sentence: string;
  ranked: Ranked[];
  left: string[] | null; // that lack a round, or of whose streams some failed
}

/** Throughput on the fullest plateau over that of baseline. */
export interface Step {
  server: string;
  from: string;
  to: string;
  times: number;
}

export interface Rank {
  schema: number;
  commit: number | null;
  run: string;
  time: string;
  epoch: number; // place; -1: no commit of that epoch has points
  rounds: number;
  quick: boolean; // it was shortened, and measures little
  solo: boolean; // each target was loaded alone, minutes from the others
  conditions: string;
  columns: string[];
  tables: RankTable[];
  rankings: Ranking[];
  steps: Step[];
}

/**
 * Runs on one's own machine first, then the newest whole ones, then shortened ones: not every run
 * there ever was.
 */
export interface Ranks {
  schema: number;
  ranks: { run: string; time: string; quick: boolean; file: string }[];
}

export const ranksOf = (site: Site): Promise<Answer<Ranks>> =>
  site.read<Ranks>((m) => located(m.ranks, 'the list of runs of all servers'));

export const newestRank = (site: Site): Promise<Answer<Rank>> =>
  site.read<Rank>((m) => located(m.rank, 'the newest leaderboard'));

/**
 * Of a run, or '' for the first of the list, which is called newest; null: it is not in the list.
 */
export async function rankOf(
  site: Site,
  run: string,
): Promise<Answer<{ rank: Rank; newest: boolean } | null>> {
  const list = run === '' ? null : await ranksOf(site);
  if (list && !list.ok) return list;
  const at = list ? list.value.ranks.findIndex((r) => r.run === run) : 0;
  const file = list?.value.ranks[at]?.file;
  if (at < 0) return { ok: true, value: null };
  const rank = await (file ? site.read<Rank>(() => located(file, file)) : newestRank(site));
  return rank.ok ? { ok: true, value: { rank: rank.value, newest: at === 0 } } : rank;
}

export const direct = 'direct';

/** A target's cell; undefined where the run has no such scenario, target or metric. */
export function cellOf(
  rank: Rank,
  scenario: string,
  target: string,
  metric: string,
): RankCell | undefined {
  const at = rank.columns.indexOf(metric);
  return rank.tables.find((t) => t.scenario === scenario)?.rows.find((r) => r.target === target)
    ?.cells[at];
}

/** Every target but direct, in the order of the tables. */
export const serversOf = (rank: Rank): string[] =>
  [...new Set(rank.tables.flatMap((t) => t.rows.map((r) => r.target)))].filter((t) => t !== direct);

/** What low and high are, for a reader. */
export function spreadWords(rank: Pick<Rank, 'rounds'>): string {
  if (rank.rounds < 2)
    return 'One round: its own figures, and nothing says how far another would be from them.';
  return (
    `Figures are medians of ${rank.rounds} rounds; with them stand the least and the greatest, which is no ` +
    'confidence interval. A round in which streams failed does not count.'
  );
}
