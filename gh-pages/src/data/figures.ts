// Records of a run as tables: a row a target, a column a metric, the median over
// the rounds. Columns and their order are those of `scripts/bench report`.
import { median } from './median.ts';
import type { Rec } from './run.ts';

/** The server, with its side in a pair: go-http, go-http@base. */
export const targetOf = (r: Pick<Rec, 'server'>): string =>
  r.server.side ? `${r.server.name}@${r.server.side}` : r.server.name;

/** A metric over rounds: the median, the least and the greatest. */
export interface Figure {
  mid: number;
  low: number;
  high: number;
  rounds: number;
}

export const direct = 'direct';

/** null where no round knows it. */
export function over(values: (number | null | undefined)[]): Figure | null {
  const known = values
    .filter((v): v is number => typeof v === 'number' && Number.isFinite(v))
    .sort((a, b) => a - b);
  if (known.length === 0) return null;
  return { mid: median(known), low: known[0]!, high: known.at(-1)!, rounds: known.length };
}

const paced = [
  'server_cpu_us_per_stream',
  'server_cpu_over_ruler',
  'ttft_p95_ms',
  'ttft_p95_added_ms',
  'gap_p99_added_ms',
  'transit_p50_ms',
  'transit_p50_added_ms',
  'server_rss_peak_bytes',
  'rate_per_s',
  'stream_mean_ms',
  'stream_p95_ms',
  'failed_pct',
];
const stress = [
  'rate_per_s',
  'rate_over_direct',
  'stream_mean_ms',
  'stream_p50_ms',
  'stream_p95_ms',
  'stream_p99_ms',
  'stream_max_ms',
  'server_cpu_us_per_stream',
  'server_share_pct',
  'server_rss_peak_bytes',
  'failed_pct',
];

/**
 * The metrics that answer what a scenario asks. Paced, the rate is what was asked for; under stress
 * it is the answer.
 */
export function columnsOf(scenario: string): string[] {
  if (vus(scenario) !== null) return stress;
  return scenario === 'soak' ? [...paced, 'server_rss_slope_bytes_per_stream'] : paced;
}

/** The VUs of a plateau of stress; null where load is paced. */
export function vus(scenario: string): number | null {
  const n = Number(scenario.split('-')[1] ?? NaN);
  return Number.isFinite(n) ? n : null;
}

export interface Row {
  target: string;
  doubtful: boolean;
  failed: boolean;
  rounds: number;
  figures: (Figure | null)[];
}
export interface Table {
  scenario: string;
  columns: string[];
  rows: Row[];
}

/** A table a scenario, in the run's order; servers by name, direct last. */
export function tables(records: Rec[]): Table[] {
  return distinct(records.map((r) => r.scenario)).map((scenario) => {
    const of = records.filter((r) => r.scenario === scenario);
    const columns = columnsOf(scenario);
    const targets = distinct(of.map(targetOf)).sort(
      (a, b) => Number(isDirect(a)) - Number(isDirect(b)) || (a < b ? -1 : 1),
    );
    const rows = targets.map((target) => {
      const its = of.filter((r) => targetOf(r) === target);
      return {
        target,
        doubtful: its.some((r) => r.status !== 'ok'),
        failed: its.every((r) => r.status === 'invalid'),
        rounds: its.length,
        figures: columns.map((c) => over(its.map((r) => r.metrics[c]))),
      };
    });
    return { scenario, columns, rows };
  });
}

export const isDirect = (target: string) => target === direct || target.startsWith(`${direct}@`);

const distinct = <T>(values: T[]): T[] => [...new Set(values)];

/** A reason, and all records that give it. Figures in it may differ from record to record. */
export interface Doubt {
  status: 'suspect' | 'invalid';
  why: string;
  targets: string[];
  of: string[];
  alike: boolean;
} // alike: others differ in figures

/** Reasons with digits taken for equal, invalid ones first, then by how many records give them. */
export function doubts(records: Rec[]): Doubt[] {
  const all = new Map<string, Doubt>();
  for (const r of records) {
    if (r.status === 'ok') continue;
    for (const why of r.why) {
      const key = `${r.status} ${why.replace(/\d+(\.\d+)?/g, '#')}`;
      const doubt = all.get(key) ?? { status: r.status, why, targets: [], of: [], alike: false };
      doubt.alike ||= doubt.why !== why;
      if (!doubt.targets.includes(targetOf(r))) doubt.targets.push(targetOf(r));
      doubt.of.push(`${targetOf(r)}, ${r.scenario}, round ${r.round}`);
      all.set(key, doubt);
    }
  }
  return [...all.values()].sort((a, b) =>
    a.status === b.status ? b.of.length - a.of.length : a.status === 'invalid' ? -1 : 1,
  );
}
