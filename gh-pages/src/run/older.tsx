import type { Site } from '../data/fetch.ts';
import type { RunRow } from '../data/form.ts';
import { Notice } from '../frame/notice.tsx';
import { fileLink } from '../words/text.ts';

function File({ site, name }: { site: Site; name: string }) {
  const url = fileLink(site.manifest.repository, site.manifest.history, name);
  return url ? <a href={url}>{name}</a> : <code>git show origin/gh-pages:{name}</code>;
}

/** Where an older run's facts are of which the site has none. */
export function Older({ site, row }: { site: Site; row: RunRow }) {
  return (
    <Notice>
      An older run: this page has its single servers. All servers together{' '}
      {row.details && 'and its timelines and distributions '}are on the branch alone:{' '}
      <File site={site} name={`runs/${row.branch}.rank.jsonl`} />
      {row.details && (
        <>
          , <File site={site} name={`details/${row.branch}.json.gz`} />
        </>
      )}
      .
    </Notice>
  );
}
