// A comparison of base and head: data/comparison.HASH.json, or a part of its report. Its Go
// types are in scripts/internal/show/site/comparison.go.
import type { Verdict } from './form.ts';
import { located, type Answer, type Site } from './fetch.ts';

/** A change with its 95 % interval, and the margin: shares of base, or in unit where it has one. */
export interface Effect {
  change: number;
  low: number;
  high: number;
  margin: number;
  unit: string;
}

/** A row of the table, as the terminal shows it, and what its charts need. */
export interface CellResult {
  scenario: string;
  metric: string; // its label
  base: string;
  head: string;
  change: string;
  interval: string;
  result: string;
  name: string; // of the metric
  decides: string; // the subject that it decides on, such as CPU; '': none
  verdict: Verdict;
  leaning: 'worse' | 'better' | ''; // of an inconclusive cell
  effect: Effect | null; // null: not measured
  // base and head in each round that counts, in the unit of the label; null: unknown
  values: ([base: number, head: number] | null)[];
}

/** The latency of the requests of one name, as the terminal shows it. */
export interface RequestRow {
  name: string;
  share: string; // of base's time
  metric: string; // its label
  base: string;
  head: string;
  change: string;
  interval: string;
  result: string;
}

export interface ServerVerdict {
  workload: string;
  server: string;
  base: string | null; // commits; null: a changed working copy
  head: string | null;
  verdict: Verdict;
  headline: string;
  load: string; // its difference to the usual load, and how it is judged; '': none
  alpha_pct: number;
  rounds: number[]; // that count
  discarded: string[];
  cells: CellResult[];
  requests: RequestRow[]; // those that changed first, then by their share of the time
  more_requests: number; // that are left out
}

export interface Comparison {
  schema: number;
  run: string;
  quick: boolean;
  verdicts: ServerVerdict[];
}

/** A comparison on somebody's own machine, as the manifest lists it. */
export interface ComparisonRow {
  run: string; // local/ID
  text: string;
  time: string;
  quick: boolean;
  details: boolean;
  file: string;
  verdicts: { server: string; verdict: Verdict; headline: string }[];
}

/** The row of a run; undefined for a run other than a comparison. */
export const comparisonRow = (site: Site, run: string): ComparisonRow | undefined =>
  site.manifest.comparisons.find((c) => c.run === run);

export const readComparison = (site: Site, row: ComparisonRow): Promise<Answer<Comparison>> =>
  site.read<Comparison>(() => located(row.file, row.file));
