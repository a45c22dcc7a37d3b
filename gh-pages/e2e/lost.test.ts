// A mistyped address leads back into the site, which may lie under any path.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { open, violations } from './page.ts';
import { Served } from './server.ts';

let served: Served;
beforeAll(async () => {
  served = await Served.start(inject('site'));
});
afterAll(() => served.stop());

it.each(['trnd', 'trnd/', 'trnd/deep/er?sv=go-gin'])('%s leads to Results', async (path) => {
  const { page, clean, close } = await open(served.url + path);
  expect(await page.textContent('h1')).toBe('No such page');
  await page.waitForSelector('a');
  expect(await violations(page)).toEqual([]);
  await clean();
  await page.click('text=Results');
  await page.waitForURL(served.url);
  await close();
});

it('says without scripts where the site begins', async () => {
  const { page, close } = await open(`${served.url}trnd/`, { noScript: true });
  expect(await page.textContent('main')).toContain("What begins at the project's name");
  await close();
});
