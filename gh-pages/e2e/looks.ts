// Rules for every page. axe finds nothing in both themes, on a desk and a phone. Nothing is wider
// than the screen. There is no unexpected request, report or error.
import { expect } from 'vitest';
import { fixture } from '../test/fixture/files.ts';
import { withPages, type Pages } from '../test/fixture/pages.ts';
import { withRequests } from '../test/fixture/requests.ts';
import { ofColours, open, violations, type Watched } from './page.ts';
import { Served } from './server.ts';
import { desktop, phone } from './sizes.ts';

export const settle = async (w: Watched, selector: string): Promise<void> => {
  await w.page.waitForSelector(selector);
  await w.page.waitForFunction(() => !document.querySelector('.loading'));
};

export interface Site {
  served: Served;
  pages: Pages;
}

const made = new Map<string, Pages>();

/**
 * A history with all that pages read; small, and made once for all tests that want the same. Files
 * are each site's own, to be changed.
 */
export async function site(
  options: Parameters<typeof withPages>[1] & { requests?: boolean } = {},
  commits = 120,
  raw = 3,
): Promise<Site> {
  const newest = Math.floor(Date.now() / 1000) - 3600;
  const key = JSON.stringify([options, commits, raw]);
  const once =
    made.get(key) ??
    withPages(
      fixture({
        seed: 3,
        commits,
        raw,
        hostile: true,
        newest,
      }),
      options,
    );
  made.set(key, once);
  const pages = { ...once, files: new Map(once.files) };
  if (options.requests) withRequests(pages, newest);
  return { served: await Served.start(pages.files), pages };
}

/** A history without a single run. */
export async function emptySite(): Promise<Served> {
  return Served.start(fixture({ seed: 3, commits: 0, newest: 0 }).files);
}

/** Both themes, on a desk and a phone; nothing but colours differs between themes. */
export async function everyLook(
  url: string,
  selector: string,
  sizes = [desktop, phone],
  unfold?: (w: Watched) => Promise<void>,
): Promise<void> {
  for (const size of sizes) {
    const w = await open(url, { size });
    await settle(w, selector);
    await unfold?.(w);
    expect(await violations(w.page), `${size.width} px`).toEqual([]);
    expect(
      await w.page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      `wider than ${size.width} px`,
    ).toBeLessThanOrEqual(0);
    await w.page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(w.page, ofColours), `${size.width} px, dark`).toEqual([]);
    await w.clean();
    await w.close();
  }
}

/** A state of a page that has been seen in every look: once is enough. */
export const oneLook = (url: string, selector: string): Promise<void> =>
  everyLook(url, selector, [phone]);

/** The cells of the table whose caption begins so, as text; the first row is the head. */
export const cells = (w: Watched, caption: string): Promise<string[][]> =>
  w.page.evaluate((begin) => {
    const table = [...document.querySelectorAll('table')].find((t) =>
      t.caption?.textContent?.startsWith(begin),
    );
    return table
      ? [...table.rows].map((row) => [...row.cells].map((c) => (c.textContent ?? '').trim()))
      : [];
  }, caption);

/** The titles of a table's cells: they have the exact figures. */
export const titles = (w: Watched, caption: string): Promise<string[][]> =>
  w.page.evaluate((begin) => {
    const table = [...document.querySelectorAll('table')].find((t) =>
      t.caption?.textContent?.startsWith(begin),
    );
    return table
      ? [...table.tBodies[0]!.rows].map((row) => [...row.cells].map((c) => c.title))
      : [];
  }, caption);
