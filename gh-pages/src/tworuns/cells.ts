// The same cell in two runs. Nothing here judges: the difference stands beside the noise of one run,
// which the files have.
import { noun } from '../data/workload.ts';
import type { Metric, Noise } from '../data/form.ts';
import type { Rec } from '../data/types.ts';
import { figureOf, type Figure, type Run } from '../data/run.ts';
import { three } from '../words/numbers.ts';

export type Side = Figure;

export interface Compared {
  server: string;
  scenario: string;
  metric: Metric;
  a: Side | null;
  b: Side | null;
  /**
   * b less a: a share of a, or where the metric is absolute a difference in the metric's unit;
   * null: one is not known.
   */
  change: number | null;
  /**
   * 1.96 standard deviations of one run of the same code, in the unit of change; null: unknown.
   */
  noise: number | null;
  /** Why b lost all figures of this server and scenario that a has; null: it did not. */
  lost: string | null;
}

export interface Key {
  server: string;
  scenario: string;
}

/**
 * The cells of two runs, in order of server and scenario; records of direct and of sides of comparisons
 * are not theirs.
 */
export function keys(records: Rec[]): Key[] {
  const all = new Map<string, Key>();
  for (const r of records)
    if (r.server.name !== 'direct' && r.server.side === '')
      all.set(`${r.server.name} ${r.scenario}`, { server: r.server.name, scenario: r.scenario });
  return [...all.values()];
}

const of = (records: Rec[], { server, scenario }: Key) =>
  records.filter((r) => r.server.name === server && r.scenario === scenario);

/** Why none of the records has figures that count. */
function reason(records: Rec[]): string {
  const first = records[0];
  if (!first) return 'it is not in that run';
  return first.why[0] ?? `${three(first.metrics.failed_pct ?? 100)} % of its ${noun()}s failed`;
}

/** A cell of two runs. */
export function compared(a: Run, b: Run, key: Key, metric: Metric, noise: number | null): Compared {
  const inB = of(b.records, key);
  const side = (run: Run) => figureOf(run.figures, key.server, key.scenario, metric.name);
  const sides = { a: side(a), b: side(b) };
  const gone = sides.a && !sides.b && !inB.some((r) => r.metrics.failed_pct === 0);
  return {
    ...key,
    metric,
    ...sides,
    change: difference(sides.a, sides.b, metric),
    noise,
    lost: gone ? reason(inB) : null,
  };
}

function difference(a: Side | null, b: Side | null, metric: Metric): number | null {
  if (!a || !b) return null;
  if (metric.absolute) return b.mean - a.mean;
  return a.mean > 0 ? b.mean / a.mean - 1 : null;
}

/**
 * The noise of a run in an epoch, of an overview: a share, or where the metric is absolute in its
 * unit; null: not known.
 */
export function noiseOf(
  noise: Noise[] | undefined,
  epoch: number | null,
  metric: Metric,
): number | null {
  const found = noise?.find(([e]) => e === epoch);
  if (!found) return null;
  return metric.absolute ? found[1] : found[1] / 100;
}
