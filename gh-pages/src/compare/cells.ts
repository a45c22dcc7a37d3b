// What two runs, or two servers of one run, say of each other, cell by cell.
import type { Metric, Noise } from '../data/form.ts';
import { point, type Rec } from '../data/run.ts';
import { three } from '../words/numbers.ts';
import { turnOfChange, type Turn } from '../words/verdict.ts';

export interface Side { median: number; low: number; high: number; rounds: number }

export interface Compared {
  server: string; // of two servers of one run: the second
  scenario: string;
  metric: Metric;
  a: Side | null;
  b: Side | null;
  /** b against a: a share of a, or where absolute a difference in the metric's unit; null: one is not known. */
  change: number | null;
  low: number | null; // 95 % interval; null: how much such a change varies is not known
  high: number | null;
  absolute: boolean;
  turn: Turn;
  /** Why b has no figure at all of this server and scenario, of which a has some; null: it has. */
  lost: string | null;
  /** How many times the half width of its interval a change is: 1 is the edge of what chance makes in 1 of 20. */
  factor: number | null;
}

/** How far a run's median is from where it would be without noise, in 95 of 100 runs. */
export interface Known { size: number; absolute: boolean } // per cent, or in the metric's unit

/** Two runs differ by the noise of both. */
const BOTH = Math.SQRT2;

export interface Key { server: string; scenario: string }

/** The cells of two runs, in order of server and scenario; records of direct and of sides of pairs are not theirs. */
export function keys(records: Rec[]): Key[] {
  const all = new Map<string, Key>();
  for (const r of records) if (r.server.name !== 'direct' && r.server.side === '') all.set(`${r.server.name} ${r.scenario}`, { server: r.server.name, scenario: r.scenario });
  return [...all.values()];
}

const of = (records: Rec[], server: string, scenario: string) => records.filter((r) => r.server.name === server && r.scenario === scenario);

const whole = (r: Rec): boolean => r.metrics.failed_pct === 0;

/** Why none of the records has figures that count. */
function reason(records: Rec[]): string {
  const first = records[0];
  if (!first) return 'it is not in that run';
  return first.why[0] ?? `${three(first.metrics.failed_pct ?? 100)} % of its streams failed`;
}

/** A cell of two runs that were minutes or months apart: what they vary by between runs is the measure. */
export function acrossRuns(a: Rec[], b: Rec[], { server, scenario }: Key, metric: Metric, noise: Known | null): Compared {
  const sides = { a: point(of(a, server, scenario), metric.name), b: point(of(b, server, scenario), metric.name) };
  const absolute = noise?.absolute ?? isAdded(metric);
  const base: Compared = { server, scenario, metric, ...sides, change: null, low: null, high: null, absolute, turn: 'unclear', factor: null, lost: null };
  if (sides.a && !sides.b && !of(b, server, scenario).some(whole)) return { ...base, turn: 'worse', lost: reason(of(b, server, scenario)) };
  if (!sides.a || !sides.b) return base;
  if (absolute) {
    const change = sides.b.median - sides.a.median;
    if (!noise) return { ...base, change };
    const half = BOTH * noise.size;
    return judged({ ...base, change, low: change - half, high: change + half }, change, half);
  }
  if (!(sides.a.median > 0) || !(sides.b.median > 0)) return base;
  const d = Math.log(sides.b.median / sides.a.median);
  if (!noise) return { ...base, change: Math.expm1(d) };
  const half = BOTH * Math.log1p(noise.size / 100);
  return judged({ ...base, change: Math.expm1(d), low: Math.expm1(d - half), high: Math.expm1(d + half) }, d, half);
}

/** A cell of two servers that were loaded in the same minutes: rounds are pairs, and their differences the measure. */
export function sameMinutes(records: Rec[], first: string, second: string, scenario: string, metric: Metric): Compared {
  const a = of(records, first, scenario), b = of(records, second, scenario);
  const sides = { a: point(a, metric.name), b: point(b, metric.name) };
  const absolute = isAdded(metric);
  const base: Compared = { server: second, scenario, metric, ...sides, change: null, low: null, high: null, absolute, turn: 'unclear', factor: null, lost: null };
  const pairs = a.flatMap((r): [number, number][] => {
    const other = b.find((x) => x.round === r.round);
    const [v, w] = [r.metrics[metric.name] ?? null, other?.metrics[metric.name] ?? null];
    return v !== null && w !== null && whole(r) && other && whole(other) && (absolute || (v > 0 && w > 0)) ? [[v, w]] : [];
  });
  if (pairs.length === 0) return base;
  const d = pairs.map(([v, w]) => (absolute ? w - v : Math.log(w / v)));
  const back = (x: number) => (absolute ? x : Math.expm1(x));
  const mean = d.reduce((s, x) => s + x, 0) / d.length;
  if (d.length < 2) return { ...base, change: back(mean) };
  const sd = Math.sqrt(d.reduce((s, x) => s + (x - mean) ** 2, 0) / (d.length - 1));
  const half = (quantile(d.length - 1) * sd) / Math.sqrt(d.length);
  return judged({ ...base, change: back(mean), low: back(mean - half), high: back(mean + half) }, mean, half);
}

/** by: the change, on the scale on which its interval is half so wide either way. */
function judged(c: Compared, by: number, half: number): Compared {
  const clear = c.low !== null && c.high !== null && (c.low > 0 || c.high < 0);
  return { ...c, factor: half > 0 ? Math.abs(by) / half : null, turn: clear ? turnOfChange(c.change!, c.metric.better) : 'unclear' };
}

/** Values that are differences already may be 0 or less: no share of them says anything. */
export const isAdded = (metric: Metric): boolean => metric.unit.endsWith(' added') || metric.name.includes('_slope_');

/** Noise of a run in an epoch, of an overview. */
export const known = (noise: Noise[] | undefined, epoch: number | null, absolute: boolean): Known | null => {
  const found = noise?.find(([e]) => e === epoch);
  return found ? { size: found[1], absolute } : null;
};

// 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom; above, the next less is a little too wide.
const T975 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042];

export const quantile = (free: number): number => T975[Math.min(free, T975.length) - 1] ?? Infinity;
