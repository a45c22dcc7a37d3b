// Which run an address asks for, and its files.
import type { Details, RunRow } from './types.ts';
import { unlike, type Answer, type Site } from './fetch.ts';
import { commitAt, commitsOf, placeOf, runsOf, type CommitFacts } from './commits.ts';
import { readRun, type ReadRun } from './run.ts';
import { detailsPath, recordsPath, type Kind } from './runs.ts';

/** The version of details that this page reads. */
const DETAILS_SCHEMA = 3;

export interface Found {
  run: string;
  row: RunRow | null; // null: it is in no list
  commit: CommitFacts | null;
  before: CommitFacts | null;
}

/** id: a commit's hash or a run's name; '' is the newest run. null: there is no such run. */
export async function resolve(site: Site, id: string): Promise<Answer<Found | null>> {
  const [commits, runs] = await Promise.all([commitsOf(site), runsOf(site)]);
  if (!runs.ok) return runs;
  let run = id === '' ? (runs.value.runs[0]?.run ?? '') : id;
  if (id !== '' && !id.includes('/')) {
    if (!commits.ok) return commits;
    run = commitAt(commits.value, placeOf(commits.value, id)).run ?? '';
  }
  if (run === '') return { ok: true, value: null };
  const row = runs.value.runs.find((r) => r.run === run) ?? null;
  // Without its commit a run can still be read.
  const facts = (place: number) =>
    commits.ok && place >= 0 ? commitAt(commits.value, place) : null;
  const at = row?.commit ?? -1;
  return { ok: true, value: { run, row, commit: facts(at), before: facts(at - 1) } };
}

export async function readRecords(site: Site, run: string, kind: Kind): Promise<Answer<ReadRun>> {
  const text = await site.text(recordsPath(run, kind));
  return text.ok ? { ok: true, value: readRun(text.value) } : text;
}

/** null: the run kept none, which is not a failure. */
export async function readDetails(site: Site, found: Found): Promise<Answer<Details | null>> {
  if (found.row && !found.row.details) return { ok: true, value: null };
  const file = detailsPath(found.run);
  const text = await site.text(file);
  if (!text.ok) return text.why === 'missing' ? { ok: true, value: null } : text;
  try {
    const details = JSON.parse(text.value) as Details;
    const schema: number = details.schema;
    if (schema === DETAILS_SCHEMA) return { ok: true, value: details };
    const why = schema > DETAILS_SCHEMA ? 'newer' : 'broken';
    const seen = `schema ${schema}; this page reads ${DETAILS_SCHEMA}`;
    return { ok: false, file, why, seen };
  } catch (error) {
    return unlike(error, file);
  }
}
