// The text under the chart: what a point, a line and a band are.
import { root } from '../data/fetch.ts';
import { href } from '../frame/href.ts';
import { many } from '../words/numbers.ts';
import { leftOut, type Model } from './model.ts';
import { noiseWords } from './summary.ts';
import { front, type TrendState } from './state.ts';
import type { Window } from './window.ts';

export function Caption({
  model: m,
  s,
  window: [from, to],
}: {
  model: Model;
  s: TrendState;
  window: Window;
}) {
  const epochs = new Set(m.epoch.filter((_, i) => m.place[i]! >= from && m.place[i]! <= to));
  const left = leftOut(m, [from, to]);
  return (
    <figcaption>
      A point is the mean of a run's rounds; a hollow point has a warning.{' '}
      {s.smooth && 'The line goes through medians of 7 runs, or of 4 at least. '}
      {s.band === 'noise' && (
        <>
          Runs of unchanged code fall into the band in 95 % of cases; {noiseWords(m, front(s), to)}
          .{' '}
        </>
      )}
      {s.y === 'relative' && s.base === '' && epochs.size > 1 && (
        <>After a cut, figures are in per cent of the first one after it. </>
      )}
      {left > 0 && (
        <>
          {many(left, 'point')} in view {left === 1 ? 'is' : 'are'} left out:{' '}
          {s.y === 'log' ? (
            'a logarithmic axis cannot show 0 and less'
          ) : (
            <>
              {s.base === '' ? 'the first in view' : <code>{s.base}</code>} has no figure above 0 to
              relate {left === 1 ? 'it' : 'them'} to, or was measured on another machine or by
              another rig
            </>
          )}
          .{' '}
        </>
      )}
      {m.undated > 0 && (
        <>
          {many(m.undated, 'commit')} without a known date {m.undated === 1 ? 'is' : 'are'} left
          out.{' '}
        </>
      )}
      A gap is an unknown figure. The axis need not begin at 0. A triangle at the edge is a point
      far from its line, by a quarter of it and five times the noise. A dashed line is a new machine
      or rig; figures on its two sides cannot be compared.{' '}
      <a href={href(root(), 'method', '#points')}>How to read this</a>. The points that
      github-action-benchmark compares are <a href={href(root(), 'charts')}>charts of their own</a>.
    </figcaption>
  );
}
