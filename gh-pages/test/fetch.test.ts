import { afterEach, describe, expect, it, vi } from 'vitest';
import { located, Site, failureWords, type Answer } from '../src/data/fetch.ts';
import type { Events, Manifest } from '../src/data/form.ts';
import { fixture } from './fixture/files.ts';

const f = fixture({ seed: 2, commits: 30, scenarios: ['baseline'], metrics: ['rate_per_s'] });
let asked: string[] = [];
const how = new Map<string, RequestCache | undefined>();

/** Files as a server of them; null: no connection. */
function serve(files: Map<string, string | Uint8Array | null>): void {
  asked = [];
  vi.stubGlobal('fetch', (url: string, { cache }: RequestInit) => {
    const path = url.replace('root/', '');
    how.set(path, cache);
    asked.push(path);
    const body = files.get(path);
    if (body === null) return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve(
      body === undefined ? new Response('', { status: 404 }) : new Response(body as BodyInit),
    );
  });
}
const opened = async (): Promise<Site> => {
  const site = await Site.open('root/');
  if (!site.ok) throw new Error(failureWords(site));
  return site.value;
};
const events = (site: Site): Promise<Answer<Events>> =>
  site.read((m) => located(m.events, 'events'));
afterEach(() => vi.unstubAllGlobals());

describe('reading files', () => {
  it('asks once for what does not change', async () => {
    serve(new Map(f.files));
    const site = await opened();
    expect((await Promise.all([events(site), events(site)])).every((a) => a.ok)).toBe(true);
    expect(asked).toEqual(['data/manifest.json', f.manifest.events]);
  });
  it('reads the manifest again, once, when a name is gone', async () => {
    const files = new Map<string, string | Uint8Array | null>(f.files);
    serve(files);
    const site = await opened();
    const text = files.get(f.manifest.events)!;
    files.delete(f.manifest.events);
    files.set('data/events.1111111111.json', text);
    files.set(
      'data/manifest.json',
      JSON.stringify({ ...f.manifest, events: 'data/events.1111111111.json' } satisfies Manifest),
    );
    expect((await events(site)).ok).toBe(true);
    expect(asked.filter((p) => p === 'data/manifest.json')).toHaveLength(2);
    const gone = await site.read(() => located('data/gone.json', 'gone'));
    expect(gone).toMatchObject({ ok: false, why: 'missing', file: 'data/gone.json' });
    expect(asked.filter((p) => p === 'data/manifest.json')).toHaveLength(2);
  });
  it.each([
    ['offline', null, 'Failed to fetch'],
    ['broken', '{"schema":1,"events":[', 'JSON'],
    ['broken', '7', 'number, wanted an object'],
    ['broken', '{"schema":"1"}', 'schema 1; wanted 1'],
    ['newer', '{"schema":2}', 'schema 2; this page reads 1'],
  ])('names what is %s', async (why, body, seen) => {
    serve(new Map([...f.files, [f.manifest.events, body]]));
    const answer = await events(await opened());
    expect(answer).toMatchObject({ ok: false, why, file: f.manifest.events });
    if (!answer.ok) expect(failureWords(answer)).toContain(seen);
  });
  it('asks again for what failed before', async () => {
    const files = new Map<string, string | Uint8Array | null>([
      ...f.files,
      [f.manifest.events, null],
    ]);
    serve(files);
    const site = await opened();
    expect((await events(site)).ok).toBe(false);
    expect(how.get(f.manifest.events)).toBe('default');
    files.set(f.manifest.events, f.files.get(f.manifest.events)!);
    expect((await events(site)).ok).toBe(true);
    expect(how.get(f.manifest.events)).toBe('reload'); // not what the browser kept
  });
  it('unpacks a run whether or not the server did', async () => {
    const path = `runs/${f.history.run[29]!}.jsonl.gz`;
    serve(new Map([...f.files, ['plain', '{"a":1}\n']]));
    const site = await opened();
    const packed = await site.text(path);
    expect(packed.ok && packed.value.startsWith('{"figures":1,')).toBe(true);
    expect(await site.text('plain')).toEqual({ ok: true, value: '{"a":1}\n' });
  });
});
