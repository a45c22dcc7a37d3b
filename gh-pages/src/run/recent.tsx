import { Table, type Col } from '../chart/table.tsx';
import { runsOf } from '../data/commits.ts';
import type { Site } from '../data/fetch.ts';
import type { RunRow } from '../data/form.ts';
import { runWords } from '../data/runs.ts';
import { href } from '../frame/href.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { moment } from '../words/numbers.ts';

/** Other runs to look at, newest first. */
export function Recent({ site }: { site: Site }) {
  const none = site.manifest.commits.count === 0;
  const runs = useAnswer(none ? null : () => runsOf(site), []);
  if (none) return null;
  const cols: Col<RunRow>[] = [
    {
      key: 'run',
      label: 'run',
      head: 'run',
      header: true,
      cell: (r) => <a href={href(site.root, 'run', `?id=${r.run}`)}>{runWords(r.run)}</a>,
    },
    {
      key: 'time',
      label: 'started',
      head: 'started',
      words: true,
      cell: (r) => moment(Date.parse(r.time) / 1000),
    },
    {
      key: 'servers',
      label: 'single servers',
      head: 'single servers',
      cell: (r) => r.servers.length || '–',
    },
    {
      key: 'rank',
      label: 'all together',
      head: 'all together',
      words: true,
      cell: (r) =>
        r.leaderboard ? (
          <a href={href(site.root, 'run', `?id=${r.run}&of=leaderboard`)}>
            yes<span class="hidden">, all servers of {runWords(r.run)}</span>
          </a>
        ) : (
          'no'
        ),
    },
    {
      key: 'more',
      label: 'more',
      head: 'more',
      words: true,
      cell: (r) =>
        [r.events && 'verdicts', r.details && 'timelines', r.quick && 'shortened']
          .filter(Boolean)
          .join(', ') || '–',
    },
  ];
  return (
    <section aria-labelledby="other" class="no-print">
      <h2 id="other">Other runs</h2>
      <When asked={runs} what="the list of runs">
        {(list) => (
          <Table caption="Newest runs" cols={cols} rows={list.runs} id={(r) => r.run} page={10} />
        )}
      </When>
    </section>
  );
}
