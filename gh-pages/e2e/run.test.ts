import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { gunzipSync } from 'node:zlib';
import { tables } from '../src/data/figures.ts';
import { readRun } from '../src/data/run.ts';
import type { Manifest, Runs } from '../src/data/types.ts';
import { exact } from '../src/words/numbers.ts';
import { open, violations, type Watched } from './page.ts';
import { Served } from './server.ts';

let served: Served, manifest: Manifest, leaderboard: string;
const json = async <T>(path: string) => (await (await fetch(served.url + path)).json()) as T;
beforeAll(async () => {
  served = await Served.start(inject('site'));
  manifest = await json<Manifest>('data/manifest.json');
  const { runs } = await json<Runs>(manifest.runs);
  leaderboard = runs.find((r) => r.leaderboard && r.details && !r.quick)!.run;
});
afterAll(() => served.stop());

const READY = '#run[data-state=ready] table';
const at = async (query: string): Promise<Watched> => {
  const w = await open(`${served.url}run/?${query}`);
  await w.page.waitForSelector(READY);
  return w;
};

it('shows the means of the file, of both kinds of run', async () => {
  for (const [query, file] of [
    ['&of=leaderboard', '.leaderboard'],
    ['', ''],
  ]) {
    const packed = await fetch(`${served.url}runs/${leaderboard}${file}.jsonl.gz`);
    const run = readRun(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString());
    const w = await at(`id=${leaderboard}${query}`);
    for (const of of tables(run, manifest.columns)) {
      const shown = await w.page.$$eval(
        '#run table',
        (all, scenario) => {
          const table = (all as HTMLTableElement[]).find(
            (t) => t.caption?.textContent === scenario,
          )!;
          return [...table.tBodies[0]!.rows].map((r) => [...r.cells].map((c) => c.title));
        },
        of.scenario,
      );
      of.rows.forEach((row, i) => {
        for (const f of row.figures)
          if (f) expect(shown[i]!.some((t) => t.includes(exact(f.mean)))).toBe(true);
      });
    }
    await w.clean();
    await w.close();
  }
});

it('draws each process second by second, and distributions', async () => {
  const w = await at(`id=${leaderboard}&of=leaderboard`);
  await w.page.click('summary:has-text("Second by second, and distributions")');
  await w.page.waitForSelector('.panels svg');
  expect(await w.page.locator('.panels figure').count()).toBeGreaterThan(5);
  expect(await w.page.locator('#distributions ~ figure svg path.curve').count()).toBeGreaterThan(3);
  await w.page.locator('input[name=ds]').first().check();
  await w.page.waitForFunction(() => location.search.includes('ds='));
  for (const name of ['Warnings', 'Machine and versions'])
    await w.page.click(`summary:has-text("${name}")`);
  await w.page.waitForSelector('.facts');
  expect(await violations(w.page)).toEqual([]);
  await w.clean();
  await w.close();
});

it('shows a comparison of an own server, with the rounds that count', async () => {
  const w = await open(`${served.url}web/comparisons/`);
  await w.page.click('a:text-is("all figures, second by second")');
  await w.page.waitForSelector(READY);
  expect(await w.page.textContent('main')).toContain('rounds that count for the verdict');
  await w.close();
});

it('names a file that cannot be read, and tries again', async () => {
  for (const fault of ['truncated', 'missing', 'offline'] as const) {
    served.faults.push({ path: /\.leaderboard\.jsonl/, fault });
    const w = await open(`${served.url}run/?id=${leaderboard}&of=leaderboard`);
    await w.page.waitForSelector('[role=alert]');
    expect(await w.page.textContent('[role=alert]'), fault).toContain('.leaderboard.jsonl.gz');
    served.faults.length = 0;
    await w.page.click('[role=alert] button');
    await w.page.waitForSelector(READY);
    await w.close();
  }
});

it('says so where the manifest cannot be read, and a run is not known', async () => {
  served.faults.push({ path: /manifest\.json/, fault: 'newer' });
  const w = await open(`${served.url}run/`);
  await w.page.waitForSelector('[role=alert]');
  expect(await w.page.textContent('[role=alert]')).toContain('schema 2; this page reads 1');
  served.faults.length = 0;
  await w.page.goto(`${served.url}run/?id=0000000000`);
  await w.page.waitForSelector('#run .notice');
  expect(await w.page.textContent('#run .notice')).toContain(
    'No measured commit begins with 0000000000',
  );
  await w.close();
});
