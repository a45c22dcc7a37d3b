// Which run an address means.
import { commitAt, commitsOf, placeOf, runRow, runsOf, type CommitFacts } from './commits.ts';
import type { ComparisonRow } from './types.ts';
import { comparisonRow } from './comparison.ts';
import type { Details } from './types.ts';
import { unlike, type Answer, type Site } from './fetch.ts';
import type { RunRow } from './form.ts';
import { readRun, type ReadRun } from './run.ts';
import { detailsPath, recordsPath, type Kind } from './runs.ts';

export interface Found {
  run: string;
  row: RunRow | null;
  commit: CommitFacts | null;
  before: CommitFacts | null;
  comparison: ComparisonRow | null; // the run is one
}

/** A run's name, ten digits of a commit, or '' for the newest run; null: there is none. */
export async function resolve(site: Site, id: string): Promise<Answer<Found | null>> {
  const commits = await commitsOf(site);
  let run = id;
  if (id === '') {
    const runs = await runsOf(site);
    if (!runs.ok) return runs;
    const first = runs.value.runs[0];
    const newest = first?.run ?? site.manifest.comparisons[0]?.run;
    if (!newest) return { ok: true, value: null };
    run = newest;
  } else if (!id.includes('/')) {
    if (!commits.ok) return commits;
    const found = commitAt(commits.value, placeOf(commits.value, id)).run;
    if (!found) return { ok: true, value: null };
    run = found;
  }
  const row = await runRow(site, run);
  if (!row.ok) return row;
  // Without its commit a run can still be read.
  const at = commits.ok && row.value ? row.value.commit : null;
  const facts = (place: number) =>
    commits.ok && place >= 0 ? commitAt(commits.value, place) : null;
  return {
    ok: true,
    value: {
      run,
      row: row.value,
      commit: at === null ? null : facts(at),
      before: at === null ? null : facts(at - 1),
      comparison: comparisonRow(site, run) ?? null,
    },
  };
}

export async function readRecords(site: Site, run: string, kind: Kind): Promise<Answer<ReadRun>> {
  const text = await site.text(recordsPath(run, kind));
  return text.ok ? { ok: true, value: readRun(text.value) } : text;
}

/** null: the run kept none, which is not a failure. */
export async function readDetails(site: Site, found: Found): Promise<Answer<Details | null>> {
  const row = found.comparison ?? found.row;
  if (row && !row.details) return { ok: true, value: null };
  const file = detailsPath(found.run);
  const text = await site.text(file);
  if (!text.ok) return text.why === 'missing' ? { ok: true, value: null } : text;
  try {
    const details = JSON.parse(text.value) as Details;
    const schema: number = details.schema;
    if (schema !== 3)
      return {
        ok: false,
        file,
        why: schema > 3 ? 'newer' : 'broken',
        seen: `schema ${schema}; this page reads 3`,
      };
    return { ok: true, value: details };
  } catch (error) {
    return unlike(error, file);
  }
}
