// A comparison in a sentence, and as Markdown for a pull request.
import { added, interval, many, percent, three, value } from '../words/numbers.ts';
import { cell, table } from '../words/markdown.ts';
import { cut } from '../words/text.ts';
import { signs, turnWords } from '../words/verdict.ts';
import type { Compared } from './cells.ts';

const one = (c: Compared) => (v: number) => (c.absolute ? added(v, c.metric) : percent(v));

export const changeWords = (c: Compared): string => (c.change === null ? 'unknown' : one(c)(c.change));
export const intervalWords = (c: Compared): string => (c.low === null || c.high === null ? 'noise not known' : interval(c.low, c.high, one(c)));
export const factorWords = (c: Compared): string => (c.factor === null ? '' : `${three(c.factor)}×`);
export const turnShown = (c: Compared): string => (c.lost !== null ? `${signs.worse} no figures: ${cut(c.lost, 120)}` : c.change === null ? 'not measured in both' : c.low === null ? 'not judged: noise not known' : `${signs[c.turn]} ${c.turn === 'unclear' ? (c.low > 0 || c.high! < 0 ? 'changed, neither better nor worse' : 'no evidence of a change') : turnWords[c.turn]}`);

/** Lost, or outside of what chance makes, whether or not that is good. */
export const clear = (c: Compared): boolean => c.lost !== null || (c.low !== null && c.high !== null && (c.low > 0 || c.high < 0));

/** Who has no figures any more, and why. */
function lost(cells: Compared[], b: string): string[] {
  const why = new Map(cells.filter((c) => c.lost !== null).map((c) => [c.server, c.lost!]));
  return [...why].map(([server, text]) => `${server} has no figures in ${b}: ${cut(text, 120)}.`);
}

export function summary(cells: Compared[], a: string, b: string): string {
  const gone = lost(cells, b);
  const known = cells.filter((c) => c.change !== null), without = cells.filter((c) => c.lost !== null).length;
  const worse = known.filter((c) => c.turn === 'worse'), better = known.filter((c) => c.turn === 'better');
  const other = known.filter((c) => c.turn === 'unclear' && clear(c)).length;
  const worst = worse.toSorted((x, y) => (y.factor ?? 0) - (x.factor ?? 0))[0];
  const judged = known.filter((c) => c.low !== null);
  if (known.length > 0 && judged.length === 0) return [...gone, `None of ${many(known.length, 'cell')} can be judged: it is not known yet how much they vary from run to run.`].join(' ');
  const parts = [...gone, `Of ${many(known.length + without, 'cell')}, ${b} is worse than ${a} in ${worse.length + without}, better in ${better.length}${other ? `, and otherwise changed in ${other}` : ''}; in ${judged.filter((c) => !clear(c)).length} there is no evidence of a change.`];
  if (worst) parts.push(`Farthest out: ${worst.server}, ${worst.scenario}, ${worst.metric.label}: ${changeWords(worst)} ${intervalWords(worst)}.`);
  if (judged.length >= 20) parts.push(`By chance alone about ${Math.round(judged.length / 20)} of ${judged.length} would be outside their intervals: this page judges each cell alone; the flags of main do not.`);
  if (known.length > judged.length) parts.push(`For ${many(known.length - judged.length, 'cell')} it is not known how much they vary.`);
  return parts.join(' ');
}

/** What is said of cells. */
export interface Words {
  what: string; // of a cell: a change, or a difference
  says: (c: Compared) => string;
  summary: (cells: Compared[], a: string, b: string) => string;
}

/** Of two runs of the same servers. */
export const ofRuns: Words = { what: 'change', says: turnShown, summary };

/** The rows that are shown, under what all cells say. */
export function markdown(cells: Compared[], shown: Compared[], a: string, b: string, link: string, notes: string[], words = ofRuns): string {
  const rows = shown.map((c) => [
    c.server, c.scenario, c.metric.label, value(c.a?.median ?? null, c.metric), value(c.b?.median ?? null, c.metric),
    changeWords(c), c.change === null ? '' : intervalWords(c), words.says(c),
  ]);
  const text = table({ head: ['server', 'scenario', 'metric', a, b, words.what, '95 % interval', ''], numeric: [false, false, false, true, true, true, true, false], rows });
  return [cell(words.summary(cells, a, b)), ...notes.map(cell), '', text, '', `<${link}>`].join('\n');
}
