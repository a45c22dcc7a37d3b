// Reads a run's file: what its rounds say together (type Figures in scripts/internal/show/site), then a record
// per line (scripts/internal/judge/record).

/** The version of a record that this page reads. */
export const RECORD_SCHEMA = 7;

export interface RunFacts {
  id: string;
  commit: string | null;
  dirty: boolean | null;
  quick: boolean;
  solo: boolean;
  load_ms: number;
  slice_ms: number;
  once?: boolean; // a comparison is judged once, after all rounds
  shared_by?: number; // servers that share the false-alarm rate of a comparison
  vu_divisor?: number; // of the VUs of paced levels, in a comparison of a slow server
  rate_per_s?: number; // to each target where load is paced, in a comparison of servers that declare their requests
  rounds: number;
  seed: number;
  placement: string;
  rig: string;
}
export interface Host {
  cpu: string | null;
  cores: number;
  memory_bytes: number | null;
  os: string | null;
  kernel: string | null;
}
export interface RunServer {
  name: string;
  language: string;
  framework: string;
  side: string;
  commit: string | null;
  tree: string | null;
  artefact: string | null;
  versions: Record<string, string> | null;
  failed_checks?: string[];
  missing_checks: string[] | null;
}
export interface Conditions {
  load_before: number | null;
  steal_pct: number | null;
  others_pct: number | null;
  disturbed: string[] | null;
}
export type RecordStatus = 'ok' | 'warning' | 'invalid';

/** The facts of one target in one round and scenario. */
export interface Rec {
  schema: number;
  workload: string;
  run: RunFacts;
  host: Host;
  tools: Record<string, string>;
  server: RunServer;
  scenario: string;
  round: number;
  started: string;
  conditions: Conditions;
  status: RecordStatus;
  why: string[];
  metrics: Record<string, number | null>;
}

/** Of each target in each scenario a cell for each metric: mean, least, greatest, rounds. */
export interface Figures {
  metrics: string[];
  rows: { target: string; scenario: string; cells: ([number, number, number, number] | null)[] }[];
}

/** A metric over the rounds that count, in the metric's unit. */
export interface Figure {
  mean: number;
  low: number;
  high: number;
  rounds: number;
}

export interface Run {
  records: Rec[];
  figures: Figures;
}

export interface ReadRun extends Run {
  broken: string[];
}

/** A line that cannot be read is named; the rest stands. */
export function readRun(text: string): ReadRun {
  const out: ReadRun = { records: [], broken: [], figures: { metrics: [], rows: [] } };
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    try {
      const read = JSON.parse(line) as Rec | Figures;
      if ('rows' in read) out.figures = read;
      else if (read.schema === RECORD_SCHEMA) out.records.push(read);
      else
        throw new Error(`schema ${String(read.schema)}; this page reads schema ${RECORD_SCHEMA}`);
    } catch (error) {
      out.broken.push(`line ${at + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return out;
}

/** A target's figure in a scenario; null: unknown. */
export function figureOf(
  { metrics, rows }: Figures,
  target: string,
  scenario: string,
  metric: string,
): Figure | null {
  const row = rows.find((r) => r.target === target && r.scenario === scenario);
  const cell = row?.cells[metrics.indexOf(metric)];
  return cell ? { mean: cell[0], low: cell[1], high: cell[2], rounds: cell[3] } : null;
}
