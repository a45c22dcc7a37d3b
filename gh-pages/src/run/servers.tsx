import { Table, type Col } from '../chart/table.tsx';
import type { Site } from '../data/fetch.ts';
import type { RunServer, Rec } from '../data/types.ts';
import { commitLink, cut } from '../words/text.ts';

/** Each server once, as it was built. */
export function serversOf(records: Rec[]): RunServer[] {
  const by = new Map<string, RunServer>();
  for (const r of records)
    if (r.server.name !== 'direct')
      by.set(`${r.server.name}@${r.server.side} ${r.server.artefact}`, r.server);
  return [...by.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The servers: versions as the tools reported them, and hashes. */
export function Servers({ site, records }: { site: Site; records: Rec[] }) {
  const code = (hash: string | null) =>
    hash === null ? 'unknown' : <code title={hash}>{hash.slice(0, 10)}</code>;
  const cols: Col<RunServer>[] = [
    {
      head: 'server',
      header: true,
      cell: (s) => (s.side ? `${s.name}@${s.side}` : s.name),
    },
    {
      head: 'versions',
      words: true,
      cell: (s) =>
        cut(
          Object.entries(s.versions ?? {})
            .map(([name, v]) => `${name} ${v}`)
            .join(', '),
          200,
        ) || 'unknown',
    },
    {
      head: 'commit',
      words: true,
      cell: (s) => {
        const url = s.commit === null ? undefined : commitLink(site.manifest.repository, s.commit);
        return url ? <a href={url}>{code(s.commit)}</a> : code(s.commit);
      },
    },
    {
      head: 'tree',
      words: true,
      cell: (s) => code(s.tree),
    },
    {
      head: 'built',
      words: true,
      cell: (s) => code(s.artefact),
    },
    {
      head: 'required checks failed',
      words: true,
      cell: (s) => (s.failed_checks ?? []).join(', ') || 'none',
    },
    {
      head: 'optional checks failed',
      words: true,
      cell: (s) => (s.missing_checks ?? []).join(', ') || 'none',
    },
  ];
  return (
    <Table
      caption="The servers"
      cols={cols}
      rows={serversOf(records)}
      id={(s) => `${s.name}@${s.side}${s.artefact}`}
    />
  );
}
