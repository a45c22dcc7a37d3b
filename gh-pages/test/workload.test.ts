// One workload is shown at a time; the address keeps which.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Site } from '../src/data/fetch.ts';
import { asked, keeping, noun, show } from '../src/data/workload.ts';
import { href } from '../src/frame/href.ts';
import { unitOf, value } from '../src/words/numbers.ts';
import { absolute } from '../src/words/verdict.ts';
import { fixture } from './fixture/files.ts';
import { withPages } from './fixture/pages.ts';
import { withRequests } from './fixture/requests.ts';

const newest = 1_780_000_000;
const pages = withRequests(withPages(fixture({ seed: 3, commits: 40, raw: 1, newest })), newest);

/** The files as a server has them. */
function served(): string[] {
  const paths: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    paths.push(path);
    const text = pages.files.get(path);
    return Promise.resolve(
      new Response(text as string, { status: text === undefined ? 404 : 200 }),
    );
  });
  return paths;
}
afterEach(() => {
  vi.unstubAllGlobals();
  show(pages.manifest);
});

const opened = async (workload: string): Promise<Site> => {
  const site = await Site.open('', undefined, workload);
  if (!site.ok) throw new Error(site.seen);
  return site.value;
};

describe('A workload', () => {
  it('is the first when nothing is asked for, or nobody knows it', async () => {
    for (const name of ['', 'relay', 'nope']) {
      const paths = served();
      const { manifest } = await opened(name);
      expect([manifest.workload, noun(), href('../', 'trend', '?sc=a')]).toEqual([
        'relay',
        'stream',
        '../trend/?sc=a',
      ]);
      expect(paths).toEqual(['data/manifest.json']);
    }
  });

  it('has a manifest of its own, the list of all, its word, and its name in links', async () => {
    served();
    const { manifest } = await opened('web');
    expect([manifest.workload, noun()]).toEqual(['web', 'request']);
    expect(manifest.workloads.map((w) => w.name)).toEqual(['relay', 'web']);
    expect(manifest.servers.every((s) => s.workload === 'web')).toBe(true);
    expect(Object.keys(manifest.series).filter((s) => /stream|itl|token/.test(s))).toEqual([]);
    expect(href('../', 'run', '?id=a#figures')).toBe('../run/?id=a&w=web#figures');
    expect(href('', 'health')).toBe('#health');
  });

  it('stays in any address', () => {
    show({ ...pages.manifest, workload: 'web' });
    for (const [address, want] of [
      ['', '?w=web'],
      ['?a=1', '?a=1&w=web'],
      ['../trend/', '../trend/?w=web'],
      ['#band', '?w=web#band'],
      ['?a=1#b', '?a=1&w=web#b'],
    ] as const)
      expect(keeping(address)).toBe(want);
    expect([asked('?a=1&w=web'), asked('?a=1'), asked('')]).toEqual(['web', '', '']);
  });
});

it('units of requests read as those of streams', () => {
  expect(unitOf({ unit: 'requests/s', scale: 1 })).toBe('req/s');
  expect(unitOf({ unit: 'bytes/request', scale: 1 })).toBe('B/request');
  expect(value(1234, { unit: 'requests/s', scale: 1 })).toBe('1,230\u202freq/s');
  expect(absolute('server_rss_slope_bytes_per_request')).toBe(true);
  expect(absolute('server_rss_peak_bytes')).toBe(false);
});
