import { useState } from 'preact/hooks';
import { Table, type Col } from '../chart/table.tsx';
import { newestRuns, runsOf } from '../data/commits.ts';
import type { Site } from '../data/fetch.ts';
import type { RunRow } from '../data/form.ts';
import { runWords } from '../data/runs.ts';
import { Button } from '../frame/button.tsx';
import { href } from '../frame/pages.ts';
import { useAnswer, When } from '../state/answer.tsx';
import { count, moment } from '../words/numbers.ts';

/** Other runs to look at, newest first: those of a block of commits at a time. */
export function Recent({ site }: { site: Site }) {
  const { count: all, block } = site.manifest.commits;
  const newest = Math.floor((all - 1) / block);
  const [at, setAt] = useState(newest);
  const runs = useAnswer<{ runs: RunRow[] }>(
    all === 0 ? null : () => (at === newest ? newestRuns(site) : runsOf(site, at)),
    [at],
  );
  if (all === 0) return null;
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
      label: 'begun',
      head: 'begun',
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
        r.rank && !r.branch ? (
          <a href={href(site.root, 'run', `?id=${r.run}&of=rank`)}>
            yes<span class="hidden">, all servers of {runWords(r.run)}</span>
          </a>
        ) : r.rank ? (
          'on the branch'
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
        [r.flags && 'verdicts', r.details && 'timelines', r.quick && 'shortened']
          .filter(Boolean)
          .join(', ') || '–',
    },
  ];
  return (
    <section aria-labelledby="other" class="no-print">
      <h2 id="other">Other runs</h2>
      {newest > 0 && (
        <div class="pager row" role="group" aria-label="Which runs are listed">
          <Button off={at === newest} onPress={() => setAt(at + 1)}>
            Newer runs
          </Button>
          <span role="status">
            Of measured commits {count(at * block + 1)} to {count(Math.min(all, (at + 1) * block))}{' '}
            of {count(all)}
          </span>
          <Button off={at === 0} onPress={() => setAt(at - 1)}>
            Older runs
          </Button>
        </div>
      )}
      <When asked={runs} what="the list of runs">
        {(list) => (
          <Table
            caption={at === newest ? 'Newest runs' : 'Older runs'}
            cols={cols}
            rows={list.runs}
            id={(r) => r.run}
            page={10}
          />
        )}
      </When>
    </section>
  );
}
