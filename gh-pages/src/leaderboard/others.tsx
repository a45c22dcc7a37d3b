import { leaderboardsOf } from '../data/leaderboard.ts';
import type { Site } from '../data/fetch.ts';
import { isOwn, runWords } from '../data/runs.ts';
import { href } from '../frame/href.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { moment } from '../words/numbers.ts';

/** The runs with a table here. The shown run is marked. */
export function Others({ site, shown }: { site: Site; shown: string | undefined }) {
  const asked = useAnswer(() => leaderboardsOf(site), []);
  return (
    <details>
      <summary>Other leaderboard runs</summary>
      <When asked={asked} what="the list of runs">
        {({ leaderboards }) =>
          leaderboards.length < 2 ? (
            <p>There is no other.</p>
          ) : (
            <ul>
              {leaderboards.map((r, i) => (
                <li>
                  <a
                    href={href(site.root, 'leaderboard', i === 0 ? '' : `?run=${r.run}`)}
                    {...(r.run === shown ? { 'aria-current': 'page' as const } : {})}
                  >
                    {moment(Date.parse(r.time) / 1000)}
                  </a>
                  , {isOwn(r.run) ? 'your own' : runWords(r.run)}
                  {r.quick && ', shortened'}
                  {r.run === shown && ': shown here'}
                </li>
              ))}
            </ul>
          )
        }
      </When>
    </details>
  );
}
