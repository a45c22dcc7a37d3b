// Rules for every page: the answer comes first and needs no script, axe finds nothing in both themes, nothing is
// wider than the screen, and a page is short on a phone.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ofColours, open, violations } from './page.ts';
import { Served } from './server.ts';
import { desktop, enlarged, phone } from './sizes.ts';

let served: Served;
beforeAll(async () => {
  served = await Served.start(inject('site'));
});
afterAll(() => served.stop());

const site = (path: string) => () => served.url + path;
const report = (name: string) => () =>
  pathToFileURL(join(inject('site'), 'reports', `${name}.html`)).href;

/** screens: how high it may be on a phone. */
const pages: Record<string, { url: () => string; screens: number; ready?: string }> = {
  results: { url: site(''), screens: 12 },
  'results of web': { url: site('web/'), screens: 12 },
  history: { url: site('history/'), screens: 12 },
  comparisons: { url: site('comparisons/'), screens: 12 },
  'comparisons of web': { url: site('web/comparisons/'), screens: 12 },
  run: { url: site('run/'), screens: 12, ready: '#run[data-state=ready] table' },
  'report of a run': { url: report('run'), screens: 6, ready: '#rest[data-state]' },
  'report of a comparison': { url: report('comparison'), screens: 6, ready: '#rest[data-state]' },
  method: { url: site('method/'), screens: 12 },
};

/** How many words stand before the first chart; the number of all words without one. Runs in the page. */
function wordsBeforeAChart(): number {
  const main = document.querySelector('main')!;
  const chart = main.querySelector('svg[role=img]');
  const range = document.createRange();
  range.setStart(main, 0);
  if (chart) range.setEndBefore(chart);
  else range.setEnd(main, main.childNodes.length);
  const text = range.cloneContents();
  for (const hidden of text.querySelectorAll('select, details:not([open]) > :not(summary)'))
    hidden.remove();
  return (text.textContent ?? '').split(/\s+/).filter((w) => /\w/.test(w)).length;
}

const tooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe.each(Object.entries(pages))('%s', (name, { url, screens, ready = 'h1' }) => {
  const at = async (options: Parameters<typeof open>[1] = {}) => {
    const w = await open(url(), options);
    if (!options.noScript) await w.page.waitForSelector(ready);
    return w;
  };

  it('is read by axe without a finding, and is no wider than its window', async () => {
    for (const size of [desktop, phone]) {
      const w = await at({ size });
      expect(await violations(w.page), `${size.width} px`).toEqual([]);
      expect(await tooWide(w.page), `${size.width} px`).toBeLessThanOrEqual(0);
      await w.page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(w.page, ofColours), `${size.width} px, dark`).toEqual([]);
      await w.clean();
      await w.close();
    }
    const w = await at({ size: enlarged });
    expect(await tooWide(w.page), 'at 400 %').toBeLessThanOrEqual(0);
    await w.close();
  });

  it('is short on a phone, and its first chart comes early', async () => {
    const w = await at({ size: phone });
    const height = await w.page.evaluate(() => document.documentElement.scrollHeight);
    expect(height / phone.height, 'screens').toBeLessThanOrEqual(screens);
    if (name !== 'method' && name !== 'run')
      expect(await w.page.evaluate(wordsBeforeAChart), 'words').toBeLessThanOrEqual(60);
    await w.close();
  });

  it('says its answer without scripts', async () => {
    const [plain, scripted] = [await at({ noScript: true }), await at()];
    const heading = await plain.page.textContent('h1');
    expect(heading).toBe(await scripted.page.textContent('h1'));
    const charts = await plain.page.locator('main svg[role=img]').count();
    if (name !== 'method' && name !== 'run') expect(charts).toBeGreaterThan(0);
    expect(await plain.page.locator('main svg[role=img]:visible').count()).toBe(charts);
    const controls = plain.page.locator('select:visible, .theme:visible');
    expect(await controls.count(), 'controls that need a script').toBe(0);
    await plain.close();
    await scripted.close();
  });

  it('is light on paper, without controls', async () => {
    const w = await at({ dark: true });
    await w.page.emulateMedia({ media: 'print' });
    expect(await w.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    expect(await w.page.locator('select:visible, .theme:visible, .top nav:visible').count()).toBe(
      0,
    );
    await w.close();
  });

  it('can be seen where colours are forced', async () => {
    const w = await at({ forced: true });
    expect(await violations(w.page, ['color-contrast'])).toEqual([]);
    await w.close();
  });
});

it('asks for nothing as a report', async () => {
  const w = await open('about:blank', { blank: true });
  const asked: string[] = [];
  w.page.on('request', (r) => asked.push(r.url()));
  await w.page.goto(report('run')());
  await w.page.waitForSelector('#rest[data-state]');
  for (const fold of await w.page.locator('#rest > details > summary').all()) await fold.click();
  await w.page.waitForSelector('#rest table');
  expect(await violations(w.page)).toEqual([]);
  expect(asked).toEqual([report('run')()]);
  await w.clean();
  await w.close();
});
