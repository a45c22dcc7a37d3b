// On paper: light, no controls, the chart with its table, and the address of the view.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { look } from '../src/chart/palette.ts';
import { settle, site, type Site } from './looks.ts';
import { open } from './page.ts';

let s: Site;
beforeAll(async () => {
  s = await site({}, 300, 3);
});
afterAll(() => s.served.stop());

/** Pages of a PDF as Chromium writes it: each is an object of its own, and not packed. */
const pagesOf = (pdf: Buffer): number =>
  [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b/g)].length;

// A4 without the margins of print.css, at 96 px to the inch.
const upright = { width: 718, height: 1047 };
const across = { width: 1047, height: 718 };

it.each([
  ['', '.beat', upright, 2, 'td svg', 'newest figures'],
  ['leaderboard/?view=scores', '.radar', upright, 2, '.radar svg', 'Scores, 100 is the best'],
  ['trend/', '.u-over', upright, 1, '.canvas canvas', 'req/s at this commit'],
  ['trend/?view=table', 'figure table', across, 3, 'figure table', 'req/s of stress-100'],
  ['tworuns/', 'table', upright, 2, 'main table', 'beside'],
  ['leaderboard/', 'table', across, 2, 'td svg', 'All servers in stress-200'],
  ['run/?of=leaderboard', '.panels', across, 8, '.panels svg', 'stress-200'],
] as const)(
  '%s is printed as it is meant to be read',
  async (path, ready, paper, most, chart, caption) => {
    const w = await open(s.served.url + path, { dark: true });
    await settle(w, ready);
    const wanted = `${s.served.url}${path}`;
    const pages = pagesOf(await w.page.pdf({ preferCSSPageSize: true }));
    expect(pages).toBeGreaterThan(0);
    expect(pages, 'pages of A4').toBeLessThanOrEqual(most);
    await w.page.setViewportSize(paper);
    await w.page.emulateMedia({ media: 'print' });
    const shown = await w.page.evaluate(() => {
      const seen = (e: Element) => e.checkVisibility() && e.getBoundingClientRect().width > 1;
      return {
        paper: getComputedStyle(document.body).backgroundColor,
        controls: [
          ...document.querySelectorAll(
            'button:not(.link, th button), select, input, textarea, nav',
          ),
        ]
          .filter(seen)
          .map((e) => e.outerHTML.slice(0, 120)),
        address: [...document.querySelectorAll('.bottom p')]
          .filter(seen)
          .map((e) => e.textContent)
          .at(-1),
        cut: [...document.querySelectorAll('main *')]
          .filter((e) => seen(e) && e.getBoundingClientRect().right > innerWidth + 1)
          .map((e) => e.outerHTML.slice(0, 120)),
        over: [...document.querySelectorAll('th[scope=row]')]
          .filter((e) => {
            const name = document.createRange();
            name.selectNodeContents(e);
            return name.getBoundingClientRect().right > e.getBoundingClientRect().right;
          })
          .map((e) => e.textContent),
        captions: [...document.querySelectorAll('caption')].filter(seen).map((e) => e.textContent),
      };
    });
    expect(shown.paper).toBe('rgb(255, 255, 255)');
    expect(shown.controls).toEqual([]);
    expect(shown.cut).toEqual([]);
    expect(shown.over, 'names that reach into the next cell').toEqual([]);
    expect(shown.address).toBe(`The address of this view: ${wanted}`);
    expect(shown.captions.join('\n')).toContain(caption);
    expect(await w.page.locator(chart).first().isVisible()).toBe(true);
    await w.clean();
    await w.close();
  },
);

it('narrows what is drawn for a screen as a whole', async () => {
  const w = await open(`${s.served.url}run/?of=leaderboard`);
  await settle(w, '.lines svg');
  await w.page.emulateMedia({ media: 'print' });
  // No script draws anew while a page is printed: the box alone is narrowed.
  const [seen, drawn] = await w.page.$eval('.lines svg', (svg) => {
    (svg.parentElement as HTMLElement).style.width = '718px';
    const { width, height } = svg.getBoundingClientRect();
    return [height / width, Number(svg.getAttribute('height')) / Number(svg.getAttribute('width'))];
  });
  expect(seen).toBeCloseTo(drawn!, 2);
  await w.close();
});

it('draws its lines for paper, and writes the address as it is when it is printed', async () => {
  const w = await open(`${s.served.url}trend/`, { dark: true });
  await settle(w, '.u-over');
  const strokes = () =>
    w.page.evaluate(() => {
      const { plot } = document.querySelector('.canvas') as unknown as {
        plot: { series: { stroke?: (u: unknown, i: number) => string }[] };
      };
      return plot.series.flatMap((x, i) => (i % 4 === 2 ? [x.stroke!(plot, i)] : []));
    });
  const of = (dark: boolean) => s.pages.manifest.servers.map((_, slot) => look(slot, dark).colour);
  expect(await strokes()).toEqual(of(true));
  await w.page.click('text=50 runs');
  await w.page.emulateMedia({ media: 'print' });
  await w.page.waitForFunction(() =>
    (document.querySelector('.bottom p:last-child')?.textContent ?? '').endsWith('?last=50'),
  );
  expect(await strokes()).toEqual(of(false));
  await w.clean();
  await w.close();
});
