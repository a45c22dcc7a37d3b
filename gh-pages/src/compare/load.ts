// Two runs side by side, from their records.
import { commitAt, commitOf, runRow, type CommitFacts } from '../data/commits.ts';
import { located, type Answer, type Site } from '../data/fetch.ts';
import type { Commits, Manifest, Metric, Overview } from '../data/form.ts';
import { unpack, type Rec, type Unpacked } from '../data/run.ts';
import { columnsOf } from '../data/figures.ts';
import { renames } from '../state/url.ts';
import { many } from '../words/numbers.ts';
import { compared, keys, noiseOf, type Compared } from './cells.ts';
import type { CompareState } from './state.ts';

export interface Facts extends Unpacked {
  commit: CommitFacts;
}

export interface Comparison {
  commits: [CommitFacts, CommitFacts];
  cells: Compared[];
  differs: string[]; // machine, tools and ruler, in words
  broken: string[];
  histories: Map<string, Overview>; // by metric
  note: string;
}

/**
 * Why a commit that is asked for has nothing to compare, as a sentence: no file failed, there is
 * none.
 */
export interface Lacking {
  lacks: string;
}
const lacking = (lacks: string): Answer<Lacking> => ({ ok: true, value: { lacks } });

/**
 * What somebody typed: the begin of a hash, or a day, for its last commit. null: neither is known.
 */
export async function found(site: Site, text: string): Promise<Answer<CommitFacts | null>> {
  if (/^[0-9a-f]{4,40}$/.test(text)) return commitOf(site, text);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return { ok: true, value: null };
  const end = Date.parse(`${text}T23:59:59Z`) / 1000;
  for (let block = site.manifest.commits.files.length - 1; block >= 0; block--) {
    const answer = await site.read<Commits>((m) =>
      located(m.commits.files[block], `commits, block ${block}`),
    );
    if (!answer.ok) return answer;
    const at = answer.value.time.findLastIndex(
      (t, i) => t !== null && t <= end && answer.value.run[i] !== null,
    );
    if (at >= 0) return commitAt(site, answer.value.first + at);
  }
  return { ok: true, value: null };
}

/**
 * The commits of a state: those asked for, else the newest two with a run that is not quick; null:
 * there are no two.
 */
async function commitsOf(
  site: Site,
  s: CompareState,
): Promise<Answer<[CommitFacts, CommitFacts] | Lacking | null>> {
  const pick = async (
    sha: string,
    before: number,
  ): Promise<Answer<CommitFacts | Lacking | null>> => {
    if (sha !== '') {
      const answer = await commitOf(site, sha);
      if (!answer.ok) return answer;
      if (answer.value?.run) return { ok: true, value: answer.value };
      return lacking(
        answer.value
          ? `Commit ${sha} was not measured whole: it has shortened runs only (-quick), which do not count.`
          : `Commit ${sha} was not measured: no run of it was published.`,
      );
    }
    for (let at = before; at >= 0; at--) {
      const answer = await commitAt(site, at);
      if (!answer.ok || answer.value.run) return answer;
    }
    return { ok: true, value: null };
  };
  const b = await pick(s.b, site.manifest.commits.count - 1);
  if (!b.ok) return b;
  if (b.value && 'lacks' in b.value) return { ok: true, value: b.value };
  const a = await pick(s.a, b.value ? b.value.at - 1 : -1);
  if (!a.ok) return a;
  if (a.value && 'lacks' in a.value) return { ok: true, value: a.value };
  if (!a.value && b.value && s.b !== '')
    return lacking(`No commit before ${s.b} was measured whole: choose what it is compared with.`);
  return { ok: true, value: a.value && b.value ? [a.value, b.value] : null };
}

async function facts(site: Site, commit: CommitFacts): Promise<Answer<Facts | Lacking>> {
  const answer = await site.text(`runs/${commit.run}.jsonl.gz`);
  if (!answer.ok) {
    const row =
      answer.why === 'missing' && commit.run !== null ? await runRow(site, commit.run) : null;
    return row?.ok && row.value?.legs === false
      ? lacking(
          `Commit ${commit.sha} has no run that is its own, only one of all servers in the same minutes: its ranks are on the Leaderboard.`,
        )
      : answer;
  }
  return {
    ok: true,
    value: { commit, ...underTodaysNames(unpack(answer.value), site.manifest.servers) },
  };
}

/** A run's file has the names of its day, and a server that was renamed is compared with itself. */
export function underTodaysNames(run: Unpacked, servers: Manifest['servers']): Unpacked {
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
 * Rounds with streams that failed do not count, so their share says nothing here: the run's page
 * has it.
 */
function metricsOf(site: Site, s: CompareState): Metric[] {
  const main = columnsOf(site.manifest.columns, s.scenario);
  return site.manifest.metrics.filter(
    (m) => m.name !== 'failed_pct' && (s.metrics === 'all' || main.includes(m.name)),
  );
}

/** null: there are no two commits to compare. */
export async function ofCommits(
  site: Site,
  s: CompareState,
): Promise<Answer<Comparison | Lacking | null>> {
  const metrics = metricsOf(site, s);
  const asked = metrics.map((metric) =>
    site.read<Overview>((m) => located(m.series[`${s.scenario}/${metric.name}`], metric.name)),
  ); // they wait for no commit
  const found = await commitsOf(site, s);
  if (!found.ok) return found;
  if (!found.value || 'lacks' in found.value) return { ok: true, value: found.value };
  const commits = found.value;
  const [a, b] = await Promise.all([facts(site, commits[0]), facts(site, commits[1])]);
  if (!a.ok) return a;
  if (!b.ok) return b;
  if ('lacks' in a.value) return { ok: true, value: a.value };
  if ('lacks' in b.value) return { ok: true, value: b.value };
  const [from, to] = [a.value, b.value];
  const same = from.commit.epoch === to.commit.epoch && from.commit.epoch !== null;
  const answers = await Promise.all(asked);
  const histories = new Map(
    metrics.flatMap((metric, i) => {
      const answer = answers[i]!;
      return answer.ok ? [[metric.name, answer.value]] : [];
    }),
  );
  const cells = keys([...from.records, ...to.records])
    .filter((k) => k.scenario === s.scenario)
    .flatMap((k) =>
      metrics.map((metric) => {
        const o = histories.get(metric.name);
        return compared(
          from,
          to,
          k,
          metric,
          same ? noiseOf(o?.noise[k.server], to.commit.epoch, metric) : null,
        );
      }),
    )
    .filter((c) => c.a || c.b)
    .sort((x, y) => (x.server < y.server ? -1 : x.server > y.server ? 1 : 0));
  return {
    ok: true,
    value: {
      commits,
      cells,
      histories,
      broken: [...from.broken, ...to.broken],
      differs: differences(from.records, to.records),
      note: same
        ? ''
        : 'The two were measured on different machines, or by different rulers: their figures do ' +
          'not compare.',
    },
  };
}

/** What is not the same of machine, tools and ruler. */
export function differences(a: Rec[], b: Rec[]): string[] {
  const said = (r: Rec | undefined): Record<string, string> =>
    r
      ? {
          machine: `${r.host.cpu ?? 'unknown'}, ${many(r.host.cores, 'core')}`,
          system: `${r.host.os ?? 'unknown'}, kernel ${r.host.kernel ?? 'unknown'}`,
          ruler: r.run.ruler,
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
