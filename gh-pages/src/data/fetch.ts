// Reads the site's files. Errors are values: each has a place on the page.
import { SCHEMA, type Manifest } from './form.ts';
import { show } from './workload.ts';

export interface Failure {
  ok: false;
  file: string;
  why: 'offline' | 'missing' | 'broken' | 'newer';
  seen: string; // what happened, in words
}
export type Answer<T> = { ok: true; value: T } | Failure;

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

async function get(root: string, path: string, cache: RequestCache): Promise<Answer<Response>> {
  try {
    const answer = await fetch(root + path, { cache });
    if (answer.ok) return { ok: true, value: answer };
    const why = answer.status === 404 ? 'missing' : 'offline';
    return { ok: false, file: path, why, seen: `HTTP ${answer.status}` };
  } catch (error) {
    return { ...unlike(error, path), why: 'offline' };
  }
}

async function json<T extends object>(
  root: string,
  path: string,
  cache: RequestCache,
): Promise<Answer<T>> {
  const answer = await get(root, path, cache);
  if (!answer.ok) return answer;
  let value: { schema?: unknown };
  try {
    value = (await answer.value.json()) as { schema?: unknown };
  } catch (error) {
    return unlike(error, path);
  }
  if (value?.schema === SCHEMA) return { ok: true, value: value as T };
  const why = Number(value?.schema) > SCHEMA ? 'newer' : 'broken';
  const seen = `schema ${String(value?.schema)}; this page reads ${SCHEMA}`;
  return { ok: false, file: path, why, seen };
}

export class Site {
  private readonly failed = new Set<string>(); // a browser may keep a truncated file

  private constructor(
    readonly root: string,
    readonly manifest: Manifest,
  ) {
    show(manifest);
  }

  /** A page alone, without a file beside it. */
  static alone = (manifest: Manifest): Site => new Site('', manifest);

  /** root ends in a slash. The site is that of a workload. */
  static async open(root: string, workload: string): Promise<Answer<Site>> {
    const first = await json<Manifest>(root, 'data/manifest.json', 'no-cache');
    if (!first.ok) return first;
    const file = first.value.workloads.find((w) => w.name === workload)?.file;
    if (!file) return { ok: true, value: new Site(root, first.value) };
    const m = await json<Manifest>(root, file, 'default');
    if (!m.ok) return m;
    return { ok: true, value: new Site(root, { ...m.value, workloads: first.value.workloads }) };
  }

  /** A file of JSON that the manifest names. */
  async read<T extends object>(path: string): Promise<Answer<T>> {
    return this.remembered(path, await json<T>(this.root, path, this.cacheOf(path)));
  }

  /** A file of a run, gunzipped: raw facts keep their names for ever. */
  async text(path: string): Promise<Answer<string>> {
    const answer = await get(this.root, path, this.cacheOf(path));
    if (!answer.ok) return this.remembered(path, answer);
    try {
      const value = await gunzipped(await answer.value.arrayBuffer());
      return this.remembered(path, { ok: true, value });
    } catch (error) {
      return this.remembered(path, unlike(error, path));
    }
  }

  private cacheOf = (path: string): RequestCache => (this.failed.has(path) ? 'reload' : 'default');

  private remembered<T>(path: string, answer: Answer<T>): Answer<T> {
    if (answer.ok) this.failed.delete(path);
    else this.failed.add(path);
    return answer;
  }
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
