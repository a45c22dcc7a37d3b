// Unpacks a run's file: a leg per line (scripts/internal/ci/history/pack.go), back into records.
import { median } from './median.ts';

/** The version of a leg that this page reads. */
export const LEG_SCHEMA = 6;

export interface RunFacts {
  id: string;
  commit: string | null;
  dirty: boolean | null;
  quick: boolean;
  solo: boolean;
  load_ms: number;
  slice_ms: number;
  rounds: number;
  seed: number;
  placement: string;
  ruler: string;
}
export interface Host {
  cpu: string | null;
  cores: number;
  memory_bytes: number | null;
  os: string | null;
  kernel: string | null;
}
export interface LegServer {
  name: string;
  language: string;
  framework: string;
  side: string;
  commit: string | null;
  tree: string | null;
  artefact: string | null;
  versions: Record<string, string> | null;
  lacks: string[] | null;
}
export interface Conditions {
  load_before: number | null;
  steal_pct: number | null;
  others_pct: number | null;
  unfit: string[] | null;
}
export type RecordStatus = 'ok' | 'suspect' | 'invalid';

interface Leg {
  schema: number;
  workload: string;
  run: RunFacts;
  host: Host;
  tools: Record<string, string>;
  servers: LegServer[];
  metrics: string[];
  loadings: {
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
  server: LegServer;
  scenario: string;
  round: number;
  started: string;
  conditions: Conditions;
  status: RecordStatus;
  why: string[];
  metrics: Record<string, number | null>;
}

export interface Unpacked {
  records: Rec[];
  broken: string[];
}

/** A line that cannot be read is named; the rest stands. */
export function unpack(text: string): Unpacked {
  const out: Unpacked = { records: [], broken: [] };
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    try {
      out.records.push(...ofLeg(JSON.parse(line) as Leg));
    } catch (error) {
      out.broken.push(`line ${at + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return out;
}

function ofLeg(leg: Leg): Rec[] {
  if (leg.schema !== LEG_SCHEMA)
    throw new Error(`schema ${String(leg.schema)}; this page reads schema ${LEG_SCHEMA}`);
  return leg.loadings.flatMap((of) =>
    of.targets.map((t): Rec => {
      const server = leg.servers[t.server];
      if (!server || t.figures.length !== leg.metrics.length) {
        throw new Error(
          `${of.scenario} round ${of.round}: server ${t.server} of ${leg.servers.length}, ${t.figures.length} figures of ${leg.metrics.length} metrics`,
        );
      }
      return {
        workload: leg.workload,
        run: leg.run,
        host: leg.host,
        tools: leg.tools,
        server,
        scenario: of.scenario,
        round: of.round,
        started: of.started,
        conditions: of.conditions,
        status: t.status,
        why: t.why ?? [],
        metrics: Object.fromEntries(leg.metrics.map((name, i) => [name, t.figures[i] ?? null])),
      };
    }),
  );
}

/**
 * What a point of the trend is: the median over the rounds in which the figure is
 * known and no stream failed, with the least and the most of them; null: none.
 */
export function point(
  records: Rec[],
  metric: string,
): { median: number; low: number; high: number; rounds: number } | null {
  const values = records
    .filter((r) => r.metrics.failed_pct === 0) // what a server did not deliver was free, and makes it look fast
    .map((r) => r.metrics[metric] ?? null)
    .filter((v): v is number => v !== null)
    .sort((a, b) => a - b);
  if (values.length === 0) return null;
  return { median: median(values), low: values[0]!, high: values.at(-1)!, rounds: values.length };
}
