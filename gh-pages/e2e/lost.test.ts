// A mistyped address leads back into the site, which may lie under any path.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixture } from '../test/fixture/files.ts';
import { open, violations } from './page.ts';
import { Served } from './server.ts';

let served: Served;
beforeAll(async () => {
  served = await Served.start(
    fixture({ seed: 4, commits: 20, scenarios: ['stress-100'], metrics: ['rate_per_s'], raw: 1 })
      .files,
  );
});
afterAll(() => served.stop());

it.each(['trnd', 'trnd/', 'trend/deep/er?sv=go-gin'])('%s leads to Health', async (path) => {
  const { page, clean, close } = await open(served.url + path);
  expect(await page.textContent('h1')).toBe('No such page');
  await page.waitForSelector('a');
  expect(await violations(page)).toEqual([]);
  await clean();
  await page.click('text=Health');
  await page.waitForSelector('#page[data-state=ready]');
  expect(page.url()).toBe(served.url);
  await close();
});

it('says without scripts where the site begins', async () => {
  const { page, close } = await open(`${served.url}trnd/`, { noScript: true });
  expect(await page.textContent('main')).toContain("What begins at the project's name");
  await close();
});
