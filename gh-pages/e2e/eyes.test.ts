// For eyes that need it larger, or in colours of their own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look } from '../src/chart/palette.ts';
import { settle, site, type Site } from './looks.ts';
import { open, violations } from './page.ts';
import { enlarged } from './sizes.ts';

let s: Site;
beforeAll(async () => {
  s = await site();
});
afterAll(() => s.served.stop());

it('at 400 % no page scrolls two ways', async () => {
  const w = await open(s.served.url, { size: enlarged });
  for (const [path, ready] of [
    ['', '#verdicts'],
    ['trend/', '.u-over'],
    ['trend/?view=split', '.u-over'],
    ['trend/?view=table', 'figure table'],
    ['leaderboard/', 'table'],
    ['run/?of=leaderboard', '.panels'],
    ['tworuns/', 'table'],
    ['regressions/?show=all', '.events'],
    ['leaderboard/?view=scores', '.radar'],
    ['leaderboard/?view=memory', 'table'],
    ['charts/', '.canvas canvas'],
    ['method/', '#proven'],
  ] as const) {
    await w.page.goto(s.served.url + path);
    await settle(w, ready);
    const wide = await w.page.evaluate(() =>
      [...document.querySelectorAll('header *, main *, footer *')]
        .filter(
          (e) =>
            e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, pre, .hidden'),
        )
        .map((e) => e.outerHTML.slice(0, 120)),
    );
    expect(wide, path).toEqual([]);
    expect(
      await w.page.evaluate(() => document.documentElement.scrollWidth),
      path,
    ).toBeLessThanOrEqual(enlarged.width);
    // What scrolls sideways does so by itself, by keyboard, and not downwards as well.
    const regions = await w.page.evaluate(() =>
      [...document.querySelectorAll('.scroll')]
        .filter((e) => e.scrollHeight > e.clientHeight + 1 || (e as HTMLElement).tabIndex !== 0)
        .map((e) => e.outerHTML.slice(0, 120)),
    );
    expect(regions, path).toEqual([]);
  }
  await w.clean();
  await w.close();
});

describe('in forced colours', () => {
  it('what is chosen is seen without its background', async () => {
    const w = await open(`${s.served.url}run/?of=leaderboard&sv=go-gin`, { forced: true });
    await settle(w, '.panels');
    const colours = (selector: string, side: 'borderBottomColor' | 'backgroundColor') =>
      w.page
        .locator(selector)
        .evaluateAll((all, key) => [...new Set(all.map((e) => getComputedStyle(e)[key]))], side);
    expect(await colours('tr[aria-current] th', 'borderBottomColor')).not.toEqual(
      await colours('tbody tr:not([aria-current]) th', 'borderBottomColor'),
    );
    await w.page.goto(`${s.served.url}trend/`);
    await settle(w, '.u-over');
    expect(await colours('nav a[aria-current]', 'borderBottomColor')).not.toEqual(
      await colours('nav a:not([aria-current])', 'borderBottomColor'),
    );
    expect(await colours('button[aria-pressed=true]', 'backgroundColor')).not.toEqual(
      await colours('button[aria-pressed=false]', 'backgroundColor'),
    );
    expect(
      await w.page
        .locator('.grip')
        .evaluateAll((all) => all.map((e) => getComputedStyle(e, '::after').borderTopWidth)),
    ).toEqual(['1px', '1px']);
    expect(await violations(w.page)).toEqual([]);
    await w.clean();
    await w.close();
  });

  it("lines are drawn for the reader's paper, whatever theme was chosen here", async () => {
    for (const dark of [false, true]) {
      const w = await open(`${s.served.url}trend/`, { forced: true, dark });
      await settle(w, '.u-over');
      await w.page.selectOption('.theme select', dark ? 'light' : 'dark');
      const stroke = await w.page.evaluate(() => {
        const { plot } = document.querySelector('.canvas') as unknown as {
          plot: { series: { stroke: (u: unknown, i: number) => string }[] };
        };
        return plot.series[2]!.stroke(plot, 2);
      });
      expect(stroke).toBe(look(0, dark).colour);
      expect(await w.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
        dark ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)',
      );
      await w.clean();
      await w.close();
    }
  });
});
