// Two runs side by side, from their records.
import { commitAt, commitsOf, placeOf, runRow, type CommitFacts } from '../data/commits.ts';
import { located, type Answer, type Site } from '../data/fetch.ts';
import type { Commits, Manifest, Metric, Series } from '../data/form.ts';
import type { Rec } from '../data/types.ts';
import { readRun, type ReadRun } from '../data/run.ts';
import { columnsOf } from '../data/figures.ts';
import { renames } from '../state/url.ts';
import { many } from '../words/numbers.ts';
import { compared, keys, noiseOf, type Compared } from './cells.ts';
import type { TwoRunsState } from './state.ts';

export interface Facts extends ReadRun {
  commit: CommitFacts;
}

export interface Comparison {
  commits: [CommitFacts, CommitFacts];
  cells: Compared[];
  differs: string[]; // machine, tools and rig, in words
  broken: string[];
  note: string;
}

/** The reason why a commit has nothing to show, as a sentence. No file failed. */
export interface NoRuns {
  reason: string;
}
const noRuns = (reason: string): Answer<NoRuns> => ({ ok: true, value: { reason } });

/** Finds what somebody typed: the begin of a hash, or a day for its last commit. -1: unknown. */
export function found(all: Commits, text: string): number {
  if (/^[0-9a-f]{4,40}$/.test(text)) return placeOf(all, text);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return -1;
  const end = Date.parse(`${text}T23:59:59Z`) / 1000;
  return all.time.findLastIndex((t, i) => t !== null && t <= end && all.run[i] !== null);
}

/**
 * The commits of a state: those asked for, else the newest two with a run that is not quick; null:
 * there are no two.
 */
function comparison(all: Commits, s: TwoRunsState): [CommitFacts, CommitFacts] | NoRuns | null {
  const pick = (sha: string, before: number): CommitFacts | NoRuns | null => {
    const whole = all.run.findLastIndex((run, i) => i <= before && run !== null);
    if (sha === '') return whole < 0 ? null : commitAt(all, whole);
    const at = placeOf(all, sha);
    if (at < 0)
      return {
        reason: `Commit ${sha} was not measured: it has no published run. Choose another commit.`,
      };
    if (all.run[at] !== null) return commitAt(all, at);
    return {
      reason: `Commit ${sha} has only shortened runs (-quick), which do not count. Choose another commit.`,
    };
  };
  const b = pick(s.b, all.sha.length - 1);
  if (b && 'reason' in b) return b;
  const a = pick(s.a, b ? b.at - 1 : -1);
  if (a && 'reason' in a) return a;
  if (!a && b && s.b !== '')
    return {
      reason: `No commit before ${s.b} has a complete run. Choose A.`,
    };
  return a && b ? [a, b] : null;
}

async function facts(site: Site, commit: CommitFacts): Promise<Answer<Facts | NoRuns>> {
  const answer = await site.text(`runs/${commit.run}.jsonl.gz`);
  if (!answer.ok) {
    const row =
      answer.why === 'missing' && commit.run !== null ? await runRow(site, commit.run) : null;
    return row?.ok && row.value?.trend_runs === false
      ? noRuns(`Commit ${commit.sha} has only a leaderboard run. Its ranks are on the Leaderboard.`)
      : answer;
  }
  return {
    ok: true,
    value: { commit, ...underTodaysNames(readRun(answer.value), site.manifest.servers) },
  };
}

/** A run's file has the names of its day, and a server that was renamed is compared with itself. */
export function underTodaysNames(run: ReadRun, servers: Manifest['servers']): ReadRun {
  const today = renames(
    servers.map((s) => ({
      ...s,
      was: s.was.filter((name) => !servers.some((x) => x.name === name)),
    })),
  );
  const now = (name: string) => today.get(name) ?? name;
  return {
    ...run,
    records: run.records.map((r) => ({ ...r, server: { ...r.server, name: now(r.server.name) } })),
    figures: {
      ...run.figures,
      rows: run.figures.rows.map((row) => ({ ...row, target: now(row.target) })),
    },
  };
}

/**
 * Rounds with failed requests do not count, so their share says nothing here: the run's page
 * has it.
 */
function metricsOf(site: Site, s: TwoRunsState): Metric[] {
  const main = columnsOf(site.manifest.columns, s.scenario);
  return site.manifest.metrics.filter(
    (m) => m.name !== 'failed_pct' && (s.metrics === 'all' || main.includes(m.name)),
  );
}

/** null: there are no two commits to compare. */
export async function ofCommits(
  site: Site,
  s: TwoRunsState,
): Promise<Answer<Comparison | NoRuns | null>> {
  const metrics = metricsOf(site, s);
  const asked = metrics.map((metric) =>
    site.read<Series>((m) => located(m.series[`${s.scenario}/${metric.name}`], metric.name)),
  ); // they wait for no commit
  const all = await commitsOf(site);
  if (!all.ok) return all;
  const commits = comparison(all.value, s);
  if (!commits || 'reason' in commits) return { ok: true, value: commits };
  const [a, b] = await Promise.all([facts(site, commits[0]), facts(site, commits[1])]);
  if (!a.ok) return a;
  if (!b.ok) return b;
  if ('reason' in a.value) return { ok: true, value: a.value };
  if ('reason' in b.value) return { ok: true, value: b.value };
  const [from, to] = [a.value, b.value];
  const same = from.commit.epoch === to.commit.epoch && from.commit.epoch !== null;
  const answers = await Promise.all(asked);
  const cells = keys([...from.records, ...to.records])
    .filter((k) => k.scenario === s.scenario)
    .flatMap((k) =>
      metrics.map((metric, i) => {
        const answer = answers[i]!;
        const known = same && answer.ok ? answer.value.noise[k.server] : undefined;
        return compared(from, to, k, metric, noiseOf(known, to.commit.epoch, metric));
      }),
    )
    .filter((c) => c.a || c.b)
    .sort((x, y) => (x.server < y.server ? -1 : x.server > y.server ? 1 : 0));
  return {
    ok: true,
    value: {
      commits,
      cells,
      broken: [...from.broken, ...to.broken],
      differs: differences(from.records, to.records),
      note: same
        ? ''
        : 'The two runs come from different machines or rigs, so their figures cannot be compared.',
    },
  };
}

/** What differs in machine, tools and rig. */
export function differences(a: Rec[], b: Rec[]): string[] {
  const said = (r: Rec | undefined): Record<string, string> =>
    r
      ? {
          machine: `${r.host.cpu ?? 'unknown'}, ${many(r.host.cores, 'core')}`,
          system: `${r.host.os ?? 'unknown'}, kernel ${r.host.kernel ?? 'unknown'}`,
          rig: r.run.rig,
          placement: r.run.placement,
          rounds: String(r.run.rounds),
          'length of load': `${r.run.load_ms} ms`,
          ...r.tools,
        }
      : {};
  const [x, y] = [said(a[0]), said(b[0])];
  const out = [...new Set([...Object.keys(x), ...Object.keys(y)])]
    .filter((k) => x[k] !== y[k])
    .map((k) => `${k}: ${x[k] ?? 'none'} → ${y[k] ?? 'none'}`);
  const versions = (all: Rec[]) =>
    new Map(
      all.map((r) => [
        r.server.name,
        Object.entries(r.server.versions ?? {})
          .map(([k, v]) => `${k} ${v}`)
          .sort()
          .join(', '),
      ]),
    );
  const [v, w] = [versions(a), versions(b)];
  for (const [name, text] of w)
    if (v.has(name) && v.get(name) !== text) out.push(`${name}: ${v.get(name)} → ${text}`);
  return out;
}
