// Reads the site's files. The name of the manifest is constant; all other files are named by
// their content. So a page that was open during a deploy asks for old names; then it reads the
// manifest again, once. Errors are values: each has a place on the page.
import { SCHEMA, type Manifest } from './form.ts';
import { show } from './workload.ts';

export interface Failure {
  ok: false;
  file: string;
  why: 'offline' | 'missing' | 'broken' | 'newer';
  seen: string; // what happened, in words
}
export type Answer<T> = { ok: true; value: T } | Failure;

/** Where a file lies, by this manifest: a path, or why there is none. */
export type Locate = (m: Manifest, site: Site) => Promise<Answer<string>> | Answer<string>;

export const located = (path: string | null | undefined, file: string): Answer<string> =>
  path
    ? { ok: true, value: path }
    : { ok: false, file, why: 'missing', seen: 'the manifest does not name it' };

/** What to tell a reader. */
export function failureWords(f: Failure): string {
  const next = {
    offline: 'Is there a connection?',
    missing: 'It may have been published again: reload the page.',
    broken: 'It is damaged, or was cut off.',
    newer: 'Reload the page.',
  }[f.why];
  return `${f.file} could not be read: ${f.seen}. ${next}`;
}

/** The failure of a file with unexpected content. */
export const unlike = (error: unknown, file: string): Failure => ({
  ok: false,
  file,
  why: 'broken',
  seen: error instanceof Error ? error.message : String(error),
});

/** started: it was asked for already. */
async function get(
  root: string,
  path: string,
  cache: RequestCache,
  started?: Promise<Response>,
): Promise<Answer<Response>> {
  try {
    const answer = await (started ?? fetch(root + path, { cache }));
    if (answer.ok) return { ok: true, value: answer };
    return {
      ok: false,
      file: path,
      why: answer.status === 404 ? 'missing' : 'offline',
      seen: `HTTP ${answer.status}`,
    };
  } catch (error) {
    return {
      ok: false,
      file: path,
      why: 'offline',
      seen: error instanceof Error ? error.message : String(error),
    };
  }
}

async function json<T extends object>(
  root: string,
  path: string,
  cache: RequestCache,
  started?: Promise<Response>,
): Promise<Answer<T>> {
  const answer = await get(root, path, cache, started);
  if (!answer.ok) return answer;
  let value: unknown;
  try {
    value = await answer.value.json();
  } catch (error) {
    return unlike(error, path);
  }
  if (typeof value !== 'object' || value === null)
    return { ok: false, file: path, why: 'broken', seen: `${typeof value}, wanted an object` };
  const schema = 'schema' in value ? value.schema : SCHEMA; // lists carry none
  if (typeof schema === 'number' && schema > SCHEMA)
    return {
      ok: false,
      file: path,
      why: 'newer',
      seen: `schema ${schema}; this page reads ${SCHEMA}`,
    };
  if (schema !== SCHEMA)
    return {
      ok: false,
      file: path,
      why: 'broken',
      seen: `schema ${String(schema)}; wanted ${SCHEMA}`,
    };
  return { ok: true, value: value as T };
}

export class Site {
  private readonly kept = new Map<string, Promise<Answer<object>>>();
  private readonly failed = new Set<string>(); // a browser may keep a truncated file
  private renewing: Promise<Answer<Manifest>> | undefined;

  private constructor(
    readonly root: string,
    public manifest: Manifest,
  ) {
    show(manifest);
  }

  /** A page alone, without a file beside it. */
  static alone = (manifest: Manifest): Site => new Site('', manifest);

  /**
   * root ends in a slash. started is the manifest on its way (src/early.js). The site is that of a
   * workload; without one of that name, of the first.
   */
  static async open(
    root: string,
    started?: Promise<Response>,
    workload = '',
  ): Promise<Answer<Site>> {
    const m = await manifestOf(root, workload, started);
    return m.ok ? { ok: true, value: new Site(root, m.value) } : m;
  }

  /** A file of JSON. One that failed is asked for again the next time. */
  async read<T extends object>(locate: Locate): Promise<Answer<T>> {
    const first = await this.once<T>(locate);
    if (first.ok || first.why !== 'missing') return first;
    const renewed = await this.renew();
    return renewed.ok ? this.once<T>(locate) : first;
  }

  /** A file of a run, gunzipped: raw facts keep their names for ever. */
  async text(path: string): Promise<Answer<string>> {
    const answer = await get(this.root, path, this.failed.has(path) ? 'reload' : 'default');
    if (!answer.ok) return answer;
    try {
      const value = await gunzipped(await answer.value.arrayBuffer());
      this.failed.delete(path);
      return { ok: true, value };
    } catch (error) {
      this.failed.add(path);
      return unlike(error, path);
    }
  }

  private async once<T extends object>(locate: Locate): Promise<Answer<T>> {
    const path = await Promise.resolve(locate(this.manifest, this)).catch((error: unknown) =>
      unlike(error, 'a list of files'),
    );
    if (!path.ok) return path;
    let answer = this.kept.get(path.value) as Promise<Answer<T>> | undefined;
    if (!answer) {
      answer = json<T>(this.root, path.value, this.failed.has(path.value) ? 'reload' : 'default');
      this.kept.set(path.value, answer);
      if ((await answer).ok) this.failed.delete(path.value);
      else {
        this.kept.delete(path.value);
        this.failed.add(path.value);
      }
    }
    return answer;
  }

  private renew(): Promise<Answer<Manifest>> {
    this.renewing ??= manifestOf(this.root, this.manifest.workload).then((m) => {
      if (m.ok) this.manifest = m.value;
      setTimeout(() => (this.renewing = undefined), 10_000); // many files that are gone ask once
      return m;
    });
    return this.renewing;
  }
}

/** The manifest of a workload, with the list of all. */
async function manifestOf(
  root: string,
  workload: string,
  started?: Promise<Response>,
): Promise<Answer<Manifest>> {
  const first = await manifest(root, 'data/manifest.json', 'no-cache', started);
  if (!first.ok) return first;
  const file = first.value.workloads.find((w) => w.name === workload)?.file;
  if (!file) return first;
  const m = await manifest(root, file, 'default');
  return m.ok ? { ok: true, value: { ...m.value, workloads: first.value.workloads } } : m;
}

/** With the lists that every page goes through. */
async function manifest(
  root: string,
  file: string,
  cache: RequestCache,
  started?: Promise<Response>,
): Promise<Answer<Manifest>> {
  const m = await json<Manifest>(root, file, cache, started);
  if (!m.ok) return m;
  const lists = [
    'workloads',
    'own',
    'comparisons',
    'servers',
    'scenarios',
    'metrics',
    'epochs',
    'cuts',
    'headlines',
    'broken',
  ] as const;
  const strange = lists.find((name) => !Array.isArray(m.value[name]));
  return strange ? unlike(`${strange} is not a list`, file) : m;
}

/** A server may have unpacked it already: then it does not begin with gzip's mark. */
async function gunzipped(bytes: ArrayBuffer): Promise<string> {
  const head = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (head[0] !== 0x1f || head[1] !== 0x8b)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  return new Response(
    new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')),
  ).text();
}

/** Where the site's files begin, seen from this page. */
export const root = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name=root]')?.content ?? './';
