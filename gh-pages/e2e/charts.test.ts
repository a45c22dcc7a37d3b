import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, seriesOf, titleOf } from '../src/charts/points.ts';
import { exact } from '../src/words/numbers.ts';
import { Hands } from './hands.ts';
import { cells, everyLook, settle, site, titles, type Site } from './looks.ts';
import { open } from './page.ts';

let s: Site;
beforeAll(async () => {
  s = await site();
});
afterAll(() => s.served.stop());

const FILE = 'charts/data.js';

describe('Charts', () => {
  it('draws every point of the file, and has it in a table', async () => {
    const points = parse(String(s.pages.files.get(FILE)));
    const w = await open(`${s.served.url}charts/?sv=relay/go-gin`);
    await settle(w, '.canvas canvas');
    const drawn = await w.page.$$eval('.canvas [role=img]', (all) =>
      all.map((e) => ({
        label: e.getAttribute('aria-label')!,
        values: [...(e as unknown as { plot: { data: (number | null)[][] } }).plot.data[1]!],
      })),
    );
    const wanted = Object.values(points).flatMap((entries) => seriesOf(entries, 'relay/go-gin'));
    expect(drawn.map((d) => d.values)).toEqual(wanted.map((series) => series.values));
    drawn.forEach((d, i) => expect(d.label).toContain(wanted[i]!.name));
    for (const [suite, entries] of Object.entries(points)) {
      const all = seriesOf(entries, 'relay/go-gin');
      const head = (await cells(w, `relay/go-gin: ${suite}`))[0]!,
        shown = await titles(w, `relay/go-gin: ${suite}`);
      all.forEach((series, at) => {
        expect(head[at + 2]).toContain(titleOf(series.name));
        const newest = series.values.at(-1) ?? null;
        expect(shown[0]![at + 2]).toBe(
          newest === null ? 'not measured' : `${exact(newest)} ${series.unit}`,
        );
      });
    }
    await w.clean();
    await w.close();
  });

  it('is reached from Trend and used by keyboard', async () => {
    const h = await Hands.at(`${s.served.url}trend/`, 'figure[data-state=drawn] .u-over');
    expect(await h.enter('figcaption a[href*="charts/"]', '.canvas canvas')).toBe(
      'link charts of their own',
    );
    expect(await h.to('input[name=sv]')).toMatch(/^radio relay\/bun-hono .*checked=true/);
    await h.press('ArrowRight');
    await h.address('?sv=relay/bun-http');
    await h.ready('caption:has-text("relay/bun-http: throughput")');
    await h.to('th:has-text("stress-200") button');
    await h.press('Enter');
    await h.says(/^Sorted by stress-200 /);
    await h.done();
  });

  it('says that there is none yet, and when the file is damaged', async () => {
    const text = s.pages.files.get(FILE)!;
    for (const [put, want] of [
      [undefined, 'No chart point has been published yet.'],
      ['window.BENCHMARK_DATA = {}', 'No chart point has been published yet.'],
      ['alert(1)', 'it does not begin with'],
    ] as const) {
      if (put === undefined) s.served.files.delete(FILE);
      else s.served.files.set(FILE, put);
      const w = await open(`${s.served.url}charts/`);
      await settle(w, put === 'alert(1)' ? '[role=alert]' : '.answer');
      expect(await w.page.textContent('main')).toContain(want);
      await w.clean();
      await w.close();
    }
    s.served.files.set(FILE, text);
  });

  it('is light on paper, without controls, and cut off nowhere', async () => {
    const w = await open(`${s.served.url}charts/`, { dark: true });
    await settle(w, '.canvas canvas');
    await w.page.setViewportSize({ width: 1047, height: 718 });
    await w.page.emulateMedia({ media: 'print' });
    expect(await w.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    expect(
      await w.page.evaluate(
        () =>
          [...document.querySelectorAll('button:not(.link, th button), input, select')].filter(
            (e) => e.checkVisibility(),
          ).length,
      ),
    ).toBe(0);
    expect(
      await w.page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter(
            (e) =>
              e.checkVisibility() &&
              e.getBoundingClientRect().width > 1 &&
              e.getBoundingClientRect().right > innerWidth + 1,
          )
          .map((e) => e.outerHTML.slice(0, 100)),
      ),
    ).toEqual([]);
    await w.close();
  });

  it('is read by axe without a finding', () =>
    everyLook(`${s.served.url}charts/`, '.canvas canvas'));
});
