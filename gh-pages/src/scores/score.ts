// Scores of a server: each axis from 0 to 100 by its own figure and the fixed
// reference. Nothing here sees a second server, so no filter, sort or newcomer
// can change a score.
import { axes, type Axis } from './axes';

/** A figure as the leaderboard has it: the median, least and greatest round; null is not measured. */
export type Figure = readonly [median: number | null, low: number | null, high: number | null];

/** What a target says of itself: its figure of a metric in a scenario, or nothing. */
export type Figures = (scenario: string, metric: string) => Figure | undefined;

export type AxisScore = {
  axis: Axis;
  score: number | null; // null: not run, which is neither 0 nor part of the mean
  low: number | null; // of the worst round
  high: number | null; // of the best round
  figure: Figure;
};

export type Scored = { by: AxisScore[]; mean: number | null; count: number };

const middleDecades = 2;
const tailDecades = 3;

/** The score of one value, 0 to 100; null where there is none to give. */
export function score(axis: Axis, value: number | null): number | null {
  if (value === null || !Number.isFinite(value) || value < 0) return null;
  // How many times worse than the reference it is, in decades; a time of 0 is as good as can be.
  const worse = axis.better === 'higher' ? Math.log10(axis.reference / value) : Math.log10(value / axis.reference);
  const share = axis.kind === 'middle' ? 0.5 - worse / middleDecades : 1 - worse / tailDecades;
  return 100 * Math.min(1, Math.max(0, share));
}

/** Every axis of one server, the mean of those it was run on, and how many they are. */
export function scoresOf(figures: Figures, of: readonly Axis[] = axes): Scored {
  const by = of.map((axis): AxisScore => {
    const figure = figures(axis.scenario, axis.metric) ?? [null, null, null];
    const ends = [score(axis, figure[1]), score(axis, figure[2])].filter((v) => v !== null);
    const known = ends.length === 2 && figure[0] !== null;
    return {
      axis, figure, score: score(axis, figure[0]),
      low: known ? Math.min(...ends) : null, high: known ? Math.max(...ends) : null,
    };
  });
  const given = by.map((a) => a.score).filter((v) => v !== null);
  return { by, count: given.length, mean: given.length ? given.reduce((sum, v) => sum + v, 0) / given.length : null };
}
