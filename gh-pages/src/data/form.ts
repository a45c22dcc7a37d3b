// The files that `scripts/bench site` writes, schema 1. Their Go types are in
// scripts/internal/show/site/form.go. Parallel arrays have a place for each commit. null is
// unknown, and is never drawn as a number.
import type { ComparisonRow } from './comparison.ts';

export const SCHEMA = 1;

export interface Server {
  workload: string;
  name: string;
  language: string;
  framework: string;
  was: string[]; // older names
  first: number;
  last: number; // places of the first and last commit with a point; -1: it has none
}

export interface Metric {
  name: string;
  label: string;
  unit: string;
  better: 'higher' | 'lower' | '';
  means: string;
  scale: number; // times a value gives what is shown: 1e-6 for bytes shown as MB
  over: string | null; // the same, relative to direct or to the rig
  absolute?: boolean; // changes and noise are in the unit, not per cent
}

export interface Epoch {
  id: string;
  text: string;
  rig: string;
  placement: string;
  first: number;
  last: number;
}

export interface Headline {
  scenario: string;
  metric: string;
}

/** A workload with data. Each has a manifest, with commits, epochs and series of its own. */
export interface Workload {
  name: string;
  unit: 'stream' | 'request'; // what one VU does at a time
  upstream: boolean; // its servers ask the stub; without, direct is a lower bound
  cost_of: string; // what its cost is the cost of: "stream", "megabyte"
  scenarios: string[];
  curves: string[]; // names of its distributions
  headlines: Headline[];
  file: string | null; // its manifest; null: data/manifest.json
  does: string; // what its servers do, in a sentence
  checks: number; // of its contract; 0: unknown
  shapes: Shape[];
  comparisons: ComparisonRow[]; // as in its manifest: every page shows those of all workloads
}

/** A scenario in words. */
export interface Shape {
  name: string;
  levels: string[];
  load: string;
  shows: string;
}

/** A run on somebody's own machine: a row in place of a commit's. */
export interface OwnRun {
  run: string;
  text: string;
  time: string;
  quick: boolean;
  failed: string[];
}

export interface Manifest {
  schema: number;
  workload: string; // that all of this is about
  workloads: Workload[]; // with data; the first is that of data/manifest.json
  newest: string | null; // when the newest record began; null: no history
  repository: string | null;
  history: string | null;
  commits: { count: number; file: string };
  own: OwnRun[]; // rows that are no commits, newest first; of a published site none
  comparisons: ComparisonRow[]; // on one's own machine, newest first; of a published site none
  servers: Server[];
  scenarios: string[];
  columns: Record<string, string[]>; // metrics of a scenario's table, by its name without a level
  metrics: Metric[];
  epochs: Epoch[];
  // where the epoch changes, and to which; the first is commit 0
  cuts: [commit: number, epoch: number][];
  series: Record<string, string>; // "SCENARIO/METRIC": file
  headlines: Headline[];
  health: string;
  leaderboard: string | null; // the first of ranks
  leaderboards: string;
  events: string;
  runs: string;
  proven: string | null;
  broken: { file: string; why: string }[];
}

export interface Commits {
  schema: number;
  sha: string[];
  time: (number | null)[]; // unix seconds
  subject: (string | null)[];
  author: (string | null)[];
  run: (string | null)[]; // 2026/11/SHA-RUNID-ATTEMPT
  epoch: (number | null)[]; // place in Manifest.epochs
  quick: (0 | 1)[];
}

/** 0 ok, 1 warning, 2 invalid or absent. */
export type Status = 0 | 1 | 2;

export interface Column {
  m: (number | null)[]; // mean of the rounds, in the metric's unit
  l: (number | null)[]; // the least round
  h: (number | null)[]; // the greatest round
  s: Status[];
}

/**
 * Place in Manifest.epochs; 1.96 sd of a run's figure, in per cent or in the unit of an absolute
 * metric; how many differences it comes from.
 */
export type Noise = [epoch: number, size: number, n: number];

export interface Series {
  schema: number;
  series: string; // SCENARIO/METRIC
  servers: Record<string, Column>;
  noise: Record<string, Noise[]>;
}

export type Verdict =
  | 'regressed'
  | 'improved'
  | 'unchanged'
  | 'no large change'
  | 'inconclusive'
  | 'not measured'
  | 'identical'
  | (string & {});

export interface Cell {
  scenario: string;
  levels?: string[]; // the levels that the cell combines
  metric: string;
  verdict: Verdict;
  base: number;
  head: number; // means of the rounds
  change: number;
  low: number;
  high: number; // share of base, or where judged by difference, in units; 95 % interval
  rounds: number;
}

export interface Event {
  id: string;
  workload: string;
  server: string;
  base: string;
  head: string; // 40 hex
  from: number | null;
  at: number | null; // their places
  gradual: boolean;
  run: string; // 123-1
  verdict: Verdict;
  confirmed: boolean;
  rounds: number;
  discarded: number;
  time: string | null;
  cells: Cell[]; // that changed
  path: string; // events/PATH.json has all cells
  accepted: Accepted | null;
  now: Now | null;
  fixed: string | null; // 40 hex: the commit that regained the last loss
}

/**
 * The newest figures of an event's main cell against those from before it: a share, and whether
 * noise explains it.
 */
export interface Now {
  change: number;
  inside: boolean;
}

/** The acceptance of an event's regressions; all: it covers every regressed cell. */
export interface Accepted {
  by: string;
  why: string;
  until: string | null;
  since: string;
  file: string;
  cells: number; // regressed cells that it covers
  all: boolean;
}

/** Newest first; others: how many events with other verdicts there are, which are in events/. */
export interface Events {
  schema: number;
  events: Event[];
  others: Record<string, number>;
}

/** Newest first. */
export interface Runs {
  schema: number;
  runs: RunRow[];
}

/** What there is of a run. */
export interface RunRow {
  run: string; // YYYY/MM/SHA10-RUNID-ATTEMPT, or local/ID
  commit: number;
  time: string;
  servers: string[];
  trend_runs: boolean; // runs/RUN.jsonl.gz
  leaderboard: boolean; // runs/RUN.leaderboard.jsonl.gz
  events: boolean; // events/RUN.json
  details: boolean; // details/RUN.json.gz
  quick: boolean;
}
