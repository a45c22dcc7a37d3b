import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells, everyLook, settle, site, type Site } from './looks.ts';
import { open } from './page.ts';

let s: Site;
beforeAll(async () => {
  s = await site();
});
afterAll(() => s.served.stop());

describe('Method', () => {
  it('shows proven rates as they were proven, every metric, and leads to each part', async () => {
    const w = await open(`${s.served.url}method/#band`);
    await settle(w, 'section[aria-labelledby=proven] table');
    for (const t of s.pages.proven.tables)
      expect(await cells(w, t.title)).toEqual([t.head, ...t.rows]);
    expect((await cells(w, 'All metrics')).length - 1).toBe(s.pages.manifest.metrics.length);
    expect(
      await w.page.evaluate(() =>
        [...document.querySelectorAll('.contents a')]
          .filter((a) => !document.getElementById(a.getAttribute('href')!.slice(1)))
          .map((a) => a.textContent),
      ),
    ).toEqual([]);
    // Other pages, and links that were given away, lead to these.
    for (const id of [
      'measured',
      'figures',
      'ranks',
      'points',
      'epochs',
      'band',
      'events',
      'proven',
      'limits',
      'words',
      'metrics',
      'data',
    ])
      expect(await w.page.locator(`#${id}`).count(), id).toBe(1);
    expect(await w.page.evaluate(() => scrollY)).toBeGreaterThan(500); // at the band
    await w.clean();
    await w.close();
  });

  it('describes the workloads of the site, and no other', async () => {
    const w = await open(`${s.served.url}method/`);
    await settle(w, '#measured');
    const text = (await w.page.textContent('main'))!;
    const [relay] = s.pages.manifest.workloads;
    expect(text).toContain(`a contract of ${relay!.checks} checks`);
    for (const words of ['chat server', 'web', 'mixed']) expect(text).not.toContain(words);
    expect(await cells(w, 'Scenarios of relay: the shapes of load')).toEqual([
      ['scenario', 'load', 'what it shows'],
      ...relay!.shapes.map(({ name, levels, load, shows }) => [
        levels.length ? `${name}, 2 levels: ${levels.join(' and ')}` : name,
        load,
        shows,
      ]),
    ]);
    await w.close();
  });

  it('is read by axe without a finding', () => everyLook(`${s.served.url}method/`, '#proven'));
});
