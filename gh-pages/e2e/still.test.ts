// Late files do not move visible content: the test lets one file at a time through, and paints
// the page in between.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { site, type Site } from './looks.ts';
import { open } from './page.ts';
import { desktop, phone } from './sizes.ts';

const LEAST = 0.001; // of layout shift: less is a pixel of a rounding

let s: Site;
beforeAll(async () => {
  s = await site();
  s.served.holds = /^(data\/(?!manifest)|runs\/|details\/|charts\/data)/;
});
afterAll(() => s.served.stop());

const painted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
      }),
  );

/** Each shift with what moved, and their sum. */
const moved = (page: Page) =>
  page.evaluate(async () => {
    interface Shift extends PerformanceEntry {
      value: number;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }
    const found: Shift[] = [];
    const watch = new PerformanceObserver((list) => {
      found.push(...(list.getEntries() as Shift[]));
    });
    watch.observe({ type: 'layout-shift', buffered: true });
    await new Promise((done) => {
      setTimeout(done, 50);
    }); // kept entries come in a task of their own
    found.push(...(watch.takeRecords() as Shift[]));
    const box = (r: DOMRect) => `${r.x},${r.y} ${r.width}x${r.height}`;
    return {
      sum: found.reduce((sum, f) => sum + f.value, 0),
      what: found.map(
        (f) =>
          `${f.value.toFixed(4)}: ${f.sources.map((x) => `${x.node?.nodeName} "${x.node?.textContent?.slice(0, 40)}" ${box(x.previousRect)} to ${box(x.currentRect)}`).join('; ')}`,
      ),
    };
  });

const pages = [
  '',
  'trend/',
  'leaderboard/',
  'tworuns/',
  'regressions/',
  'leaderboard/?view=scores',
  'leaderboard/?view=memory',
  'run/',
  'charts/',
  'method/',
];

it.each([desktop, phone])('nothing moves, on $width pixels', async (size) => {
  for (const path of pages) {
    const { held, url } = s.served;
    const w = await open(url + path, { size });
    for (let seen = 0; ;) {
      await painted(w.page);
      const next = held.shift();
      if (next) {
        const come = w.page.waitForEvent('requestfinished', (r) => r.url().endsWith(next.path));
        next.go();
        await come;
        seen++;
      } else if (await w.page.evaluate(() => document.querySelector('.loading') === null)) {
        await painted(w.page);
        if (held.length > 0) continue;
        expect(seen, path).toBeGreaterThan(0);
        break;
      }
    }
    const { sum, what } = await moved(w.page);
    expect.soft(sum, `/${path}: ${what.join('\n')}`).toBeLessThan(LEAST);
    await w.clean();
    await w.close();
  }
});
