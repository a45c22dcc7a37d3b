// Tests the script of every page, and old addresses.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { open, violations } from './page.ts';
import { Served } from './server.ts';

let served: Served;
beforeAll(async () => {
  served = await Served.start(inject('site'));
});
afterAll(() => served.stop());

it('sorts a table by a press on its head, by keys too', async () => {
  const w = await open(served.url);
  const column = () =>
    w.page.$$eval('#servers ~ .scroll tbody tr:not(.apart)', (all) =>
      all.map((r) => parseFloat(r.children[2]!.textContent!)),
    );
  const head = w.page.locator('#servers ~ .scroll thead th').nth(2).locator('button');
  await head.focus();
  await w.page.keyboard.press('Enter');
  expect(await column()).toEqual((await column()).toSorted((a, b) => a - b));
  await w.page.keyboard.press('Enter');
  expect(await column()).toEqual((await column()).toSorted((a, b) => b - a));
  const last = w.page.locator('#servers ~ .scroll tbody tr').last();
  expect(await last.textContent()).toContain('direct');
  await w.clean();
  await w.close();
});

it('keeps a theme from page to page', async () => {
  const w = await open(served.url);
  const theme = () => w.page.evaluate(() => document.documentElement.dataset.theme);
  await w.page.click('button.theme');
  expect(await theme()).toBe('light');
  await w.page.click('button.theme');
  expect(await theme()).toBe('dark');
  await w.page.click('nav a:text-is("History")');
  expect(await theme()).toBe('dark');
  expect(await w.page.getAttribute('button.theme', 'aria-label')).toBe('Theme: dark');
  await w.page.click('button.theme');
  expect(await theme()).toBeUndefined();
  await w.close();
});

it('leads to the same page of another workload', async () => {
  const w = await open(`${served.url}history/`);
  await w.page.click('.menu summary');
  expect(await violations(w.page)).toEqual([]);
  await w.page.click('.menu a:text-is("web")');
  expect(w.page.url()).toBe(`${served.url}web/history/`);
  await w.page.click('nav a:text-is("Results")');
  expect(w.page.url()).toBe(`${served.url}web/`);
  await w.clean();
  await w.close();
});

it('says that old data is old', async () => {
  const w = await open(served.url);
  expect(await w.page.textContent('#newest')).toMatch(/The newest run is \d+ days old/);
  await w.close();
});

// Never to be edited, only added to: somebody has them.
it.each([
  ['?w=web', 'web/'],
  ['?w=relay', '?w=relay'],
  ['method/?w=web#band', 'web/method/#band'],
  ['run/?id=0123456789&of=leaderboard&w=web', 'web/run/?id=0123456789&of=leaderboard'],
  ['trend/', 'history/'],
  [
    'trend/?sc=steady&m=server_cpu_us_per_stream&sv=go-gin,go-http&last=50&y=log&on=go-http',
    'history/?sc=steady&m=server_cpu_us_per_stream&sv=go-gin%2Cgo-http&last=50&y=log&on=go-http',
  ],
  ['trend/?sc=mixed&m=rate_per_s&w=web', 'web/history/?sc=mixed&m=rate_per_s'],
  ['tworuns/?a=3f2a9c1e04&b=9be01d4c77&sc=baseline&m=all', 'run/?sc=baseline&m=all&id=9be01d4c77'],
  ['regressions/?id=0123456789ab', 'history/#e-0123456789ab'],
  ['regressions/?show=all&sv=bun-hono', 'history/?show=all&sv=bun-hono'],
  ['leaderboard/?sc=steady&sort=-server_cpu_us_per_stream', ''],
  ['leaderboard/?view=scores&sort=-itl_p99_ms&w=web', 'web/'],
  ['charts/', 'history/'],
  ['trend/?sc=steady&w=relay', 'history/?sc=steady'],
  [
    'leaderboard/?run=2026/11/0123456789-1-1&sort=x',
    'run/?id=2026%2F11%2F0123456789-1-1&of=leaderboard',
  ],
])('%s leads to %s', async (old, now) => {
  const w = await open(served.url + old);
  await w.page.waitForURL(served.url + now);
  await w.page.waitForSelector('h1');
  expect(await w.page.textContent('h1')).not.toBe('Moved');
  await w.clean();
  await w.close();
});

it('leads on from an old address without scripts', async () => {
  const plain = await open(`${served.url}trend/`, { noScript: true });
  await plain.page.waitForURL(`${served.url}history/`);
  await plain.close();
});
