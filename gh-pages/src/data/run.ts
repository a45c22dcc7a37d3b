// Unpacks a run's file: what its rounds say together (type Figures in scripts/internal/show/site),
// then a trend run per line (scripts/internal/judge/archive/pack.go), back into records.

/** The version of a trend run that this page reads. */
export const TREND_RUN_SCHEMA = 7;

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

interface TrendRun {
  schema: number;
  workload: string;
  run: RunFacts;
  host: Host;
  tools: Record<string, string>;
  servers: RunServer[];
  metrics: string[];
  k6_runs: {
    scenario: string;
    round: number;
    started: string;
    conditions: Conditions;
    targets: { server: number; status: RecordStatus; why?: string[]; figures: (number | null)[] }[];
  }[];
}

/** The facts of one target in one round and scenario. */
export interface Rec {
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

export interface Unpacked extends Run {
  broken: string[];
}

/** A line that cannot be read is named; the rest stands. */
export function unpack(text: string): Unpacked {
  const out: Unpacked = { records: [], broken: [], figures: { metrics: [], rows: [] } };
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    try {
      const read = JSON.parse(line) as TrendRun | Figures;
      if ('rows' in read) out.figures = read;
      else out.records.push(...ofTrendRun(read));
    } catch (error) {
      out.broken.push(`line ${at + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return out;
}

function ofTrendRun(trendRun: TrendRun): Rec[] {
  if (trendRun.schema !== TREND_RUN_SCHEMA)
    throw new Error(
      `schema ${String(trendRun.schema)}; this page reads schema ${TREND_RUN_SCHEMA}`,
    );
  return trendRun.k6_runs.flatMap((of) =>
    of.targets.map((t): Rec => {
      const server = trendRun.servers[t.server];
      if (!server || t.figures.length !== trendRun.metrics.length) {
        throw new Error(
          `${of.scenario} round ${of.round}: server ${t.server} of ${trendRun.servers.length}, ${t.figures.length} figures of ${trendRun.metrics.length} metrics`,
        );
      }
      return {
        workload: trendRun.workload,
        run: trendRun.run,
        host: trendRun.host,
        tools: trendRun.tools,
        server,
        scenario: of.scenario,
        round: of.round,
        started: of.started,
        conditions: of.conditions,
        status: t.status,
        why: t.why ?? [],
        metrics: Object.fromEntries(
          trendRun.metrics.map((name, i) => [name, t.figures[i] ?? null]),
        ),
      };
    }),
  );
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
