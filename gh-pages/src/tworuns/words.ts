// Two runs side by side in a sentence.
import { added, against, many, percent, share } from '../words/numbers.ts';
import { cut } from '../words/text.ts';
import type { Compared } from './cells.ts';

/** The difference, as fine as its noise where that is in units. */
export function changeWords(c: Compared): string {
  if (c.lost !== null) return `no figures: ${cut(c.lost, 120)}`;
  if (c.change === null) return 'not measured in both runs';
  if (!c.metric.absolute) return percent(c.change);
  return c.noise === null ? added(c.change, c.metric) : against(c.change, c.noise, c.metric)[0];
}

export function noiseWords(c: Compared): string {
  if (c.noise === null) return 'unknown';
  return `±${c.metric.absolute ? against(c.change ?? 0, c.noise, c.metric)[1] : share(c.noise)}`;
}

/** Servers that lost their figures, how many cells are known, and that the page judges nothing. */
export function summary(cells: Compared[], a: string, b: string): string {
  const lost = new Map(cells.filter((c) => c.lost !== null).map((c) => [c.server, c.lost!]));
  const known = cells.filter((c) => c.change !== null);
  const without = known.filter((c) => c.noise === null).length;
  return [
    ...[...lost].map(([server, why]) => `${server} has no figures in ${b}: ${cut(why, 120)}.`),
    `${many(known.length, 'cell has', 'cells have')} a figure in both ${a} and ${b}.`,
    ...(without
      ? [
          without === known.length
            ? 'Their noise is unknown.'
            : `The noise of ${many(without, 'cell')} is unknown.`,
        ]
      : []),
    'The two runs did not share their minutes, so this page does not judge them.',
  ].join(' ');
}
