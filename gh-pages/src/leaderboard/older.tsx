import { newestRuns } from '../data/commits.ts';
import type { Site } from '../data/fetch.ts';
import { runWords } from '../data/runs.ts';
import { href } from '../frame/pages.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { moment } from '../words/numbers.ts';

const MOST = 12;

/** Earlier runs of all servers: each has its tables on its own page. */
export function Older({ site }: { site: Site }) {
  const runs = useAnswer(site.manifest.commits.count === 0 ? null : () => newestRuns(site), []);
  if (site.manifest.commits.count === 0) return null;
  return (
    <details>
      <summary>Other runs of all servers</summary>
      <When asked={runs} what="the list of runs">
        {(list) => {
          const ranks = list.runs.filter((r) => r.rank).slice(0, MOST);
          return ranks.length === 0 ? <p>There are none.</p> : (
            <ul>{ranks.map((r) => <li><a href={href(site.root, 'run', `?id=${r.run}&of=rank`)}>{runWords(r.run)}</a>, {moment(Date.parse(r.time) / 1000)}{r.quick && ', shortened'}</li>)}</ul>
          );
        }}
      </When>
    </details>
  );
}
