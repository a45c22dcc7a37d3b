// Files of valid JSON and the right schema, but with other content. Each page ends with words for
// it, and without an uncaught error.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { site, type Site } from './looks.ts';
import { open } from './page.ts';

let s: Site;
beforeAll(async () => {
  s = await site();
});
afterAll(() => s.served.stop());

/** Its schema, and a number in place of all else. */
const twisted = (text: string): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(JSON.parse(text) as object).map(([key, value]) => [
        key,
        key === 'schema' ? value : 7,
      ]),
    ),
  );

/** data/health.HASH.json is a health, data/s/SCENARIO/METRIC.HASH.json an s. */
const kindOf = (path: string): string => /^data\/(\w+)/.exec(path)?.[1] ?? '';

async function read(path: string): Promise<string> {
  const w = await open(s.served.url + path);
  await w.page.waitForFunction(() => !document.querySelector('.loading'));
  const text = (await w.page.locator('body').innerText()).replace(/\s+/g, ' ');
  expect(
    (await w.page.locator('h1').count()) + (await w.page.locator('#frame [role=alert]').count()),
    'a heading, or an alert for all',
  ).toBeGreaterThan(0);
  await w.clean();
  await w.close();
  return text;
}

it.each([
  ['', ['manifest', 'health', 'events', 'leaderboard']],
  ['trend/', ['manifest', 's', 'events']],
  ['trend/?last=90d', ['commits']],
  ['leaderboard/', ['manifest', 'leaderboard']],
  ['tworuns/', ['manifest']],
  ['regressions/', ['manifest', 'events']],
  ['leaderboard/?view=scores', ['manifest', 'leaderboard']],
  ['leaderboard/?view=memory', ['manifest', 'leaderboard']],
  ['run/', ['manifest', 'runs']],
  ['method/', ['manifest', 'proven']],
])('/%s says that a file could not be read: one of %s', async (path, kinds) => {
  const { files } = s.pages;
  for (const kind of kinds) {
    const whole = [...files].filter(([name]) => kindOf(name) === kind);
    expect(whole.length, kind).toBeGreaterThan(0);
    for (const [name, text] of whole) files.set(name, twisted(String(text)));
    expect.soft(await read(path), kind).toContain('could not be read');
    for (const [name, text] of whole) files.set(name, text);
  }
});
