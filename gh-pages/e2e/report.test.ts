// A run as one file on a disk, as scripts/bench run writes it: it shows all of the run
// and asks for nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerVerdict } from '../src/data/types.ts';
import { comparison, rowsOf } from '../test/fixture/comparison.ts';
import { fixture } from '../test/fixture/files.ts';
import { withPages, type Pages } from '../test/fixture/pages.ts';
import { cells, settle } from './looks.ts';
import { ofColours, open, violations, type Watched } from './page.ts';
import { desktop, phone } from './sizes.ts';

const hostile = '</script><script>globalThis.pwned = 1</script><!-- <script> &lt;';
let pages: Pages, dir: string, url: string;

/** What WriteRunPage writes: its data's < and > are escaped, as Go's encoding/json does. */
function write(name: string, data: object): string {
  const page = readFileSync(new URL('../dist/report.html', import.meta.url), 'utf8');
  const text = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const path = join(dir, name);
  writeFileSync(
    path,
    page.replace('<!--data-->', () => text),
  );
  return pathToFileURL(path).href;
}

beforeAll(() => {
  pages = withPages(
    fixture({ seed: 3, commits: 30, raw: 1, newest: Math.floor(Date.now() / 1000) - 3600 }),
  );
  dir = mkdtempSync(join(tmpdir(), 'fairstream-report-'));
  const records = gunzipSync(
    pages.files.get(`runs/${pages.leaderboard.run}.leaderboard.jsonl.gz`) as Uint8Array,
  )
    .toString()
    .replaceAll('it exited with 137 after 2 s', JSON.stringify(hostile).slice(1, -1));
  const manifest = {
    ...pages.manifest,
    commits: { ...pages.manifest.commits, files: [] },
    series: {},
    repository: null,
  };
  const data = {
    title: `Run ${hostile}`,
    manifest,
    records,
    leaderboard: pages.leaderboard,
    comparison: null,
    details: pages.details,
  };
  url = write('report.html', data);
  write('comparison.html', {
    ...data,
    records: records.replaceAll('"side":""', '"side":"head"'),
    leaderboard: null,
    comparison: comparison(),
    details: null,
  });
  const [verdict] = comparison().verdicts as [ServerVerdict];
  const headline = 'inconclusive: too noisy. Next: `scripts/bench doctor`';
  write('noisy.html', {
    ...data,
    records:
      JSON.stringify({ figures: 1, metrics: [], rows: [] }) + records.slice(records.indexOf('\n')),
    leaderboard: null,
    comparison: {
      ...comparison(),
      verdicts: [{ ...verdict, verdict: 'inconclusive', headline, rounds: [], cells: [] }],
    },
    details: null,
  });
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Opens it from the disk; what it asks for beside itself. */
async function opened(
  name = 'report.html',
  options: Parameters<typeof open>[1] = {},
): Promise<{ w: Watched; asked: string[] }> {
  const w = await open('about:blank', { ...options, blank: true });
  const asked: string[] = [];
  w.page.on('request', (r) => asked.push(r.url()));
  await w.page.goto(url.replace('report.html', name));
  await w.page.waitForSelector('#page[data-state]');
  await settle(w, '#figures');
  return { w, asked };
}

it('shows the leaderboard, the figures, the timelines and the distributions, and asks for nothing', async () => {
  const { w, asked } = await opened();
  expect((await cells(w, 'All servers in stress-200')).length).toBe(
    pages.leaderboard.tables.at(-1)!.rows.length + 1,
  );
  for (const id of [
    'leaderboard',
    'figures',
    'timelines',
    'distributions',
    'provenance',
    'metrics',
    'limits',
  ])
    expect(await w.page.locator(`#${id}`).count(), id).toBe(1);
  expect(await w.page.locator('.panels svg').count()).toBeGreaterThan(5);
  expect(await w.page.textContent('main')).toContain(hostile);
  expect(await w.page.title()).toBe(`Run ${hostile}`);
  expect(asked, 'requests but that for the file').toEqual([url]);
  await w.clean();
  await w.close();
});

it('is used from the disk: another view, another second, and links to places that it has', async () => {
  const { w, asked } = await opened();
  await w.page.check('input[name=view][value=scores]');
  await w.page.waitForSelector('.radar');
  await w.page.check('input[name=sc][value=steady]');
  await w.page.waitForFunction(() => location.search.includes('sc=steady'));
  await w.page.reload();
  await settle(w, '#figures');
  expect(await w.page.isChecked('input[name=sc][value=steady]')).toBe(true);
  const lost = await w.page.$$eval('main a', (all) =>
    all
      .map((a) => a.getAttribute('href')!)
      .filter((to) => !to.startsWith('#') || !document.getElementById(to.slice(1))),
  );
  expect(lost).toEqual([]);
  expect(
    asked.every((a) => a.startsWith('file://') && a.includes('report.html')),
    asked.join(),
  ).toBe(true);
  await w.clean();
  await w.close();
});

it('of a comparison begins with the verdict and has no ranks, and without details says so', async () => {
  const { w, asked } = await opened('comparison.html');
  const { verdicts } = comparison();
  const [{ server, headline, discarded, rounds, cells: results }] = verdicts as [ServerVerdict];
  expect(await w.page.textContent('h1 + section')).toContain(headline);
  expect((await cells(w, `Cells of ${server}`)).slice(1)).toEqual(rowsOf(comparison()));
  expect(await w.page.locator('.effects .dot').count()).toBe(results.length);
  expect(await w.page.locator('.verdict .panels svg').count()).toBe(results.length);
  expect(await w.page.locator('.verdict .panels figure').first().locator('g path').count()).toBe(
    2 * rounds.length,
  );
  expect(discarded.length).toBe(1);
  const text = (await w.page.textContent('main'))!;
  for (const words of [...discarded, 'There are no timelines and distributions'])
    expect(text).toContain(words);
  expect(text).not.toContain('All servers were loaded in the same minutes');
  expect(await w.page.locator('#leaderboard').count()).toBe(0);
  expect(asked).toEqual([url.replace('report.html', 'comparison.html')]);
  await w.clean();
  await w.close();
});

it('of a comparison in which no round counts names the reasons, and shows no figures', async () => {
  const { w } = await opened('noisy.html');
  const text = (await w.page.textContent('main'))!;
  for (const words of [
    'Next: scripts/bench doctor.',
    comparison().verdicts[0]!.discarded[0]!,
    'No round counts for the verdict, so there are no figures.',
  ])
    expect(text).toContain(words);
  expect(await w.page.locator('.effects, #figures ~ details').count()).toBe(0);
  await w.clean();
  await w.close();
});

it('is read by axe without a finding, and no wider than its window', async () => {
  for (const name of ['report.html', 'comparison.html']) {
    for (const size of [desktop, phone]) {
      const { w } = await opened(name, { size });
      expect(await violations(w.page), `${name} ${size.width} px`).toEqual([]);
      expect(
        await w.page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      await w.page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(w.page, ofColours), `${name} ${size.width} px, dark`).toEqual([]);
      await w.close();
    }
  }
});

it('is one page after another on paper, light and without controls', async () => {
  const { w } = await opened('report.html', { dark: true });
  await w.page.emulateMedia({ media: 'print' });
  expect(await w.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );
  expect(
    await w.page.evaluate(
      () =>
        [...document.querySelectorAll('button:not(.link, th button), select, input')].filter((e) =>
          e.checkVisibility(),
        ).length,
    ),
  ).toBe(0);
  await w.close();
});

it('stays small, and holds a script of its own alone', () => {
  const page = readFileSync(new URL('../dist/report.html', import.meta.url));
  expect(page.length, 'bytes without data').toBeLessThan(120_000);
  expect(page.toString().match(/<script/g)).toHaveLength(2);
});
