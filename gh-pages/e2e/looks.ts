// What holds for every page: axe finds nothing in both themes on a desk and a phone,
// nothing is wider than the screen, and no request, report or error is one too many.
import { expect } from 'vitest';
import { fixture } from '../test/fixture/files.ts';
import { withPages, type Pages } from '../test/fixture/pages.ts';
import { open, violations, type Watched } from './page.ts';
import { Served } from './server.ts';
import { desktop, phone } from './sizes.ts';

export const settle = async (w: Watched, selector: string): Promise<void> => {
  await w.page.waitForSelector(selector);
  await w.page.waitForFunction(() => !document.querySelector('.loading'));
};

export interface Site { served: Served; pages: Pages }

/** A history with all that pages read; small, since every file is made anew. */
export async function site(options: Parameters<typeof withPages>[1] = {}, commits = 120, raw = 3): Promise<Site> {
  const pages = withPages(fixture({ seed: 3, commits, raw, hostile: true, newest: Math.floor(Date.now() / 1000) - 3600 }), options);
  return { served: await Served.start(pages.files), pages };
}

/** A history without a single run. */
export async function emptySite(): Promise<Served> {
  return Served.start(fixture({ seed: 3, commits: 0, newest: 0 }).files);
}

async function look(url: string, selector: string, size: typeof desktop, dark: boolean): Promise<void> {
  const w = await open(url, { size, dark });
  await settle(w, selector);
  expect(await violations(w.page), `${size.width} px, ${dark ? 'dark' : 'light'}`).toEqual([]);
  expect(await w.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `wider than ${size.width} px`).toBeLessThanOrEqual(0);
  await w.clean();
  await w.close();
}

/** Both themes, on a desk and a phone. */
export async function everyLook(url: string, selector: string): Promise<void> {
  for (const size of [desktop, phone]) for (const dark of [false, true]) await look(url, selector, size, dark);
}

/** A state of a page that has been seen in every look: once is enough. */
export const oneLook = (url: string, selector: string): Promise<void> => look(url, selector, phone, true);

/** The cells of the table whose caption begins so, as text; the first row is the head. */
export const cells = (w: Watched, caption: string): Promise<string[][]> =>
  w.page.evaluate((begin) => {
    const table = [...document.querySelectorAll('table')].find((t) => t.caption?.textContent?.startsWith(begin));
    return table ? [...table.rows].map((row) => [...row.cells].map((c) => (c.textContent ?? '').trim())) : [];
  }, caption);

/** The titles of a table's cells: they have the exact figures. */
export const titles = (w: Watched, caption: string): Promise<string[][]> =>
  w.page.evaluate((begin) => {
    const table = [...document.querySelectorAll('table')].find((t) => t.caption?.textContent?.startsWith(begin));
    return table ? [...table.tBodies[0]!.rows].map((row) => [...row.cells].map((c) => c.title)) : [];
  }, caption);

/** Tab until the element has the focus: what cannot be reached so is not there for many. */
export async function tabTo(w: Watched, selector: string, most = 120): Promise<void> {
  for (let i = 0; i < most; i++) {
    if (await w.page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
    await w.page.keyboard.press('Tab');
  }
  throw new Error(`${selector} was not reached by ${most} tabs; the focus is on ${await w.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))}`);
}
