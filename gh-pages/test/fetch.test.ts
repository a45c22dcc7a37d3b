import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Site, failureWords } from '../src/data/fetch.ts';

let asked: string[] = [];
const how = new Map<string, RequestCache | undefined>();
const manifest = { schema: 1, workload: 'relay', workloads: [{ name: 'relay', file: null }] };
const web = { name: 'web', unit: 'request', file: 'data/manifest/web.json' };

/** Files as a server of them; null: no connection. */
function serve(more: Record<string, string | Uint8Array | null> = {}): void {
  const files = new Map(
    Object.entries({ 'data/manifest.json': JSON.stringify(manifest), ...more }),
  );
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
const opened = async (workload = 'relay'): Promise<Site> => {
  const site = await Site.open('root/', workload);
  if (!site.ok) throw new Error(failureWords(site));
  return site.value;
};
afterEach(() => vi.unstubAllGlobals());

describe('reading files', () => {
  it('reads the manifest of the workload, with the list of all', async () => {
    serve({
      'data/manifest.json': JSON.stringify({
        ...manifest,
        workloads: [...manifest.workloads, web],
      }),
      [web.file]: JSON.stringify({ schema: 1, workload: 'web', workloads: [] }),
    });
    const site = await opened('web');
    expect(site.manifest.workload).toBe('web');
    expect(site.manifest.workloads).toHaveLength(2);
    expect((await opened()).manifest.workload).toBe('relay');
  });
  it.each([
    ['offline', null, 'Failed to fetch'],
    ['missing', undefined, 'HTTP 404'],
    ['broken', '{"schema":1,"events":[', 'JSON'],
    ['broken', '7', 'schema undefined; this page reads 1'],
    ['broken', '{"schema":"x"}', 'schema x; this page reads 1'],
    ['newer', '{"schema":2}', 'schema 2; this page reads 1'],
  ])('names what is %s', async (why, body, seen) => {
    serve(body === undefined ? {} : { 'data/runs.json': body });
    const answer = await (await opened()).read('data/runs.json');
    expect(answer).toMatchObject({ ok: false, why, file: 'data/runs.json' });
    if (!answer.ok) expect(failureWords(answer)).toContain(seen);
  });
  it('asks again for what failed before, and not for what the browser kept', async () => {
    serve({ 'data/runs.json': null });
    const site = await opened();
    expect((await site.read('data/runs.json')).ok).toBe(false);
    expect(how.get('data/runs.json')).toBe('default');
    serve({ 'data/runs.json': '{"schema":1}' });
    expect((await site.read('data/runs.json')).ok).toBe(true);
    expect(how.get('data/runs.json')).toBe('reload');
    await site.read('data/runs.json');
    expect(how.get('data/runs.json')).toBe('default');
  });
  it('unpacks a run whether or not the server did', async () => {
    serve({ packed: gzipSync('{"a":1}\n'), plain: '{"a":1}\n', cut: gzipSync('x').subarray(0, 9) });
    const site = await opened();
    expect(await site.text('packed')).toEqual({ ok: true, value: '{"a":1}\n' });
    expect(await site.text('plain')).toEqual({ ok: true, value: '{"a":1}\n' });
    expect(await site.text('cut')).toMatchObject({ ok: false, why: 'broken' });
  });
});
