// A point in words: is it as usual? Runs of unchanged code define usual. A point outside is a reason
// to look, not a verdict.
import type { Pulse } from '../data/types.ts';
import type { Metric } from '../data/form.ts';
import { added, against, percent, share } from './numbers.ts';
import { directionOfChange, type Direction } from './verdict.ts';

export interface Said {
  direction: Direction;
  words: string;
  change: string;
}

/** In per cent, or in the metric's unit, with its sign. */
const sized = (v: number, m: Metric): string => (m.absolute ? added(v, m) : percent(v / 100));

export function pulseSaid(p: Pulse, m: Metric): Said {
  if (p.change === null)
    return {
      direction: 'unclear',
      change: '',
      words:
        p.of > 0
          ? 'earlier figures are 0 or less, so there is no percentage'
          : 'no earlier figure to compare with',
    };
  if (p.noise === null)
    return { direction: 'unclear', change: sized(p.change, m), words: 'noise unknown so far' };
  const [by, noise] = m.absolute
    ? against(p.change, p.noise, m)
    : [percent(p.change / 100), share(p.noise / 100)];
  const change = `${by}, noise ±${noise}`;
  if (p.inside) return { direction: 'unclear', change, words: 'as usual' };
  const direction = directionOfChange(p.change, m.better);
  const word = direction === 'unclear' ? (p.change > 0 ? 'higher' : 'lower') : direction;
  return { direction, change, words: `${word} than usual` };
}

/** Where unchanged code would be, around the median of the points before; undefined: unknown. */
export function pulseBand(p: Pulse, m: Metric): [low: number, high: number] | undefined {
  if (p.change === null || p.noise === null) return undefined;
  if (m.absolute) {
    const usual = p.m - p.change;
    return [usual - p.noise, usual + p.noise];
  }
  const usual = p.m / (1 + p.change / 100);
  return [usual / (1 + p.noise / 100), usual * (1 + p.noise / 100)];
}
