// The trend page with missing files, and its weight.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Series } from '../src/data/form.ts';
import { fixture, type Fixture } from '../test/fixture/files.ts';
import { open, violations } from './page.ts';
import { Served, type Fault } from './server.ts';

const one = { scenarios: ['stress-100'], metrics: ['rate_per_s'], raw: 1 };
const small = fixture({ seed: 4, commits: 150, ...one });

async function at(
  f: Fixture,
  path: string,
  faults: { path: RegExp; fault: Fault }[],
  look: (tab: Awaited<ReturnType<typeof open>>, served: Served) => Promise<void>,
  noScript = false,
): Promise<void> {
  const served = await Served.start(f.files);
  try {
    served.faults.push(...faults);
    const tab = await open(served.url + path, { noScript });
    await look(tab, served);
    await tab.clean();
    await tab.close();
  } finally {
    await served.stop();
  }
}

it.each([
  ['missing', 'HTTP 404'],
  ['offline', 'Failed to fetch'],
  ['truncated', 'JSON'],
  ['newer', 'schema 2; this page reads 1'],
] as const)('names a series that is %s, and reads it when asked again', (fault, words) =>
  at(small, 'trend/', [{ path: /^data\/s\//, fault }], async ({ page }, served) => {
    const notice = page.locator('.trend .notice', { hasText: 'could not be read' });
    await notice.waitFor();
    expect(await notice.textContent()).toContain(words);
    expect(await violations(page)).toEqual([]);
    served.faults.length = 0;
    await notice.locator('button').click();
    await page.waitForSelector('figure[data-state=drawn]:not(:has(.notice)) .u-over');
  }),
);

it('keeps what the page was published with when the manifest is gone', () =>
  at(small, 'trend/', [{ path: /manifest/, fault: 'missing' }], async ({ page }) => {
    expect(await page.textContent('#frame [role=alert]')).toContain(
      'data/manifest.json could not be read: HTTP 404',
    );
  }));

it('goes on without events, and says so', () =>
  at(small, 'trend/', [{ path: /^data\/events/, fault: 'truncated' }], async ({ page }) => {
    await page.waitForSelector('text=Events cannot be shown');
    await page.waitForSelector('.u-over');
  }));

it('loads from an address that asks for what is not there, and names it', () =>
  at(
    small,
    'trend/?sv=go-http,gone&from=ffffffffff&sc=flood&utm_source=feed',
    [],
    async ({ page }) => {
      await page.waitForSelector('.u-over');
      const notices = (await page.locator('.notice').allTextContents()).join('\n');
      for (const name of ['sv=gone', 'sc=flood', 'ffffffffff: no such commit was measured'])
        expect(notices).toContain(name);
      expect(notices).not.toContain('utm_source');
    },
  ));

it('says without scripts where the figures are', () =>
  at(
    small,
    'trend/',
    [],
    async ({ page }) => {
      expect(await page.textContent('main')).toContain('data/manifest.json');
    },
    true,
  ));

it('has the same navigation without scripts', async () => {
  for (const path of ['leaderboard/', 'trend/']) {
    const links = async (noScript: boolean) => {
      let found: (string | null)[][] = [];
      await at(
        small,
        path,
        [],
        async ({ page }) => {
          found = await page.$$eval('#frame a', (all) =>
            all.map((a) => [a.textContent, a.getAttribute('href'), a.getAttribute('aria-current')]),
          );
        },
        noScript,
      );
      return found;
    };
    const without = await links(true);
    expect(without.length).toBeGreaterThan(7);
    expect(await links(false)).toEqual(without);
  }
});

it('draws each of 3,000 commits, with little to read', async () => {
  const f = fixture({ seed: 9, commits: 3000, ...one });
  await at(f, 'trend/?last=all', [], async ({ page }, served) => {
    await page.waitForSelector('figure[data-state=drawn] .u-over');
    const data = await page.evaluate(() =>
      (
        document.querySelector('.canvas') as unknown as { plot: { data: (number | null)[][] } }
      ).plot.data.map((d) => [...d]),
    );
    const series = f.json<Series>(f.manifest.series['stress-100/rate_per_s']!);
    f.manifest.servers.forEach(({ name }, i) => {
      expect(data[1 + 4 * i], name).toEqual(series.servers[name]!.m);
    });
    expect(served.asked.filter((p) => p.startsWith('data/s/'))).toHaveLength(1);
    expect(served.asked.filter((p) => p === 'data/manifest.json')).toHaveLength(1);
    await page.goto(`${served.url}trend/?last=all&x=date`);
    await page.waitForSelector('figure[data-state=drawn] .u-over');
    const x = await page.evaluate(() => [
      ...(document.querySelector('.canvas') as unknown as { plot: { data: number[][] } }).plot
        .data[0]!,
    ]);
    expect(x).toEqual(f.history.time.filter((t) => t !== null));
  });
  await at(f, 'trend/', [], async ({ page }, served) => {
    await page.waitForSelector('figure[data-state=drawn] .u-over');
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .concat(performance.getEntriesByType('navigation'))
        .reduce((sum, e) => sum + (e as PerformanceResourceTiming).transferSize, 0),
    );
    console.info(`first view: ${bytes} bytes, ${served.asked.length} requests`);
    expect(bytes).toBeLessThanOrEqual(300_000);
    expect(served.asked.length).toBeLessThanOrEqual(12);
  });
});

it('loads at most 60 KB of scripts for a page, with the heads that they come with', () => {
  const HEAD = 300; // bytes; the gates, which count what came, see less
  const dist = new URL('../dist/', import.meta.url);
  const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((p) =>
    p.endsWith('index.html'),
  );
  expect(pages.length).toBeGreaterThan(0);
  for (const page of pages) {
    const html = readFileSync(new URL(page, dist), 'utf8');
    const scripts = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(
      (m) => new URL(m[1]!, new URL(page, dist)),
    );
    const size = scripts.reduce((sum, s) => sum + HEAD + gzipSync(readFileSync(s)).length, 0);
    console.info(`${page}: ${size} bytes of scripts`);
    expect(size, page).toBeLessThanOrEqual(60_000);
  }
});
