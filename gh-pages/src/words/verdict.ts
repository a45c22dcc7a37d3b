// Verdicts and changes as words and signs. Colour is never the only sign, and "no evidence" is
// never green.
import type { Cell, Event, Metric, Verdict } from '../data/form.ts';
import { added, interval, percent, share } from './numbers.ts';

/** The class of a colour in site.css, too. */
export type Direction = 'worse' | 'better' | 'unclear';

export const signs: Record<Direction, string> = { worse: '▼', better: '▲', unclear: '●' };
export const directionWords: Record<Direction, string> = {
  worse: 'worse',
  better: 'better',
  unclear: 'no evidence of a change',
};

export const directionOf = (v: Verdict): Direction =>
  v === 'regressed' ? 'worse' : v === 'improved' ? 'better' : 'unclear';

/** Where a cell of a comparison goes, and its sign: hollow where it only leans. */
export function markOf(cell: { verdict: Verdict; leaning: 'worse' | 'better' | '' }): {
  direction: Direction;
  sign: string;
} {
  const direction = cell.leaning || directionOf(cell.verdict);
  if (cell.leaning) return { direction, sign: cell.leaning === 'worse' ? '▽' : '△' };
  return { direction, sign: signs[direction] };
}

/** The scenarios that a cell covers: stress over levels covers stress-100 and stress-200. */
export const scenariosOf = (cell: Pick<Cell, 'scenario' | 'levels'>): string[] =>
  cell.levels?.map((level) => `${cell.scenario}-${level}`) ?? [cell.scenario];

export const covers = (cell: Pick<Cell, 'scenario' | 'levels'>, scenario: string): boolean =>
  scenariosOf(cell).includes(scenario);

/** The scenario whose series shows a cell: the fullest level. */
export const seriesOf = (cell: Pick<Cell, 'scenario' | 'levels'>): string =>
  scenariosOf(cell).at(-1)!;

/** Whether a change is better or worse for a metric. */
export function directionOfChange(change: number, better: Metric['better']): Direction {
  if (better === '' || change === 0 || !Number.isFinite(change)) return 'unclear';
  return change > 0 === (better === 'higher') ? 'better' : 'worse';
}

/** Cells whose change is a difference in the metric's unit, not a share of base: base may be 0. */
export const absolute = (metric: string): boolean => /^server_rss_slope_bytes_per_/.test(metric);

const fallback = (name: string): Metric => ({
  name,
  label: name,
  unit: '',
  better: '',
  means: '',
  scale: 1,
  over: null,
});

/** A metric of a file that the manifest may not name. */
export const metricOf = (metrics: Metric[], name: string): Metric =>
  metrics.find((m) => m.name === name) ?? fallback(name);

/** "+12.4 % [+8.10 %, +16.9 %]" */
export function changeOf(cell: Cell, metrics: Metric[]): string {
  if (!absolute(cell.metric)) return `${percent(cell.change)} ${interval(cell.low, cell.high)}`;
  const m = metricOf(metrics, cell.metric);
  return `${added(cell.change, m)} ${interval(cell.low, cell.high, (v) => added(v, m))}`;
}

/** A verdict in words that say which change the interval excludes, or leaves possible. */
export function verdictWords(cell: Cell): string {
  const none = cell.verdict === 'unchanged' || cell.verdict === 'no large change';
  if (absolute(cell.metric)) return none ? 'no change' : cell.verdict;
  const excluded = share(Math.max(Math.abs(cell.low), Math.abs(cell.high)));
  if (none) return `no change of ${excluded} or more`;
  if (cell.verdict === 'inconclusive') return `inconclusive: up to ${excluded} is possible`;
  return cell.verdict;
}

/** How things stand with an event. */
export function stateOf(event: Event): string {
  if (event.fixed) return `fixed at ${short(event.fixed)}`;
  if (event.accepted?.all) return 'accepted';
  if (event.verdict === 'regressed' && !event.confirmed) return 'not confirmed';
  return event.verdict === 'regressed' ? 'open' : event.verdict;
}

/** The cells that say what the event says. */
export const saying = (event: Event): Cell[] =>
  event.cells.filter((c) => c.verdict === event.verdict);

/** "at 3f2a9c1e04", or the range when commits between were not measured. */
export function where(event: Event): string {
  const between = event.at !== null && event.from !== null ? event.at - event.from : 1;
  const head = short(event.head);
  return between > 1 ? `in one of ${between} measured commits up to ${head}` : `at ${head}`;
}

/** Ten digits are what the site's files have of a commit. */
export const short = (sha: string): string => sha.slice(0, 10);
