// Measures the cost of the site for a reader, in Chromium with a built site of full size.
// Prints a table. Status 1: a limit is exceeded.
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { Served } from '../e2e/server.ts';
import { lighthouse } from './lighthouse.ts';
import { ofPage, ofRun, ofUse } from './limits.ts';
import { loop_ms, median, printed, quantile, Rows } from './table.ts';
import { use } from './use.ts';
import { view, type View } from './view.ts';

/** Pages, and what is on each when it is drawn. */
const pages: Record<string, string> = {
  '': '.card svg',
  'history/': '#chart svg',
  'comparisons/': '.changes svg',
  'method/': '#proven',
  'run/': '#run[data-state=ready] table',
};
const TIMES = 5;

interface Site {
  url: string;
  browser: Browser;
  rows: Rows;
}

/**
 * A median of views that each begin with nothing kept; what the first fetched, since all fetch the
 * same.
 */
async function slowly(
  s: Site,
  path: string,
): Promise<{ first: View; drawn_ms: number; loops: number[] }> {
  const views: View[] = [],
    loops: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    loops.push(loop_ms());
    const v = await view(s.browser, s.url + path, pages[path]!, true);
    await v.context.close();
    views.push(v);
  }
  return { first: views[0]!, drawn_ms: median(views.map((v) => v.drawn_ms)), loops };
}

async function everyPage(s: Site): Promise<void> {
  for (const page of Object.keys(pages)) {
    const { first, drawn_ms, loops } = await slowly(s, page);
    const most = page === 'run/' ? { ...ofPage, ...ofRun } : ofPage;
    s.rows.exact(`/${page}: bytes`, first.bytes, most.bytes);
    s.rows.exact(`/${page}: scripts, bytes`, first.scriptBytes, most.scriptBytes);
    s.rows.exact(`/${page}: requests`, first.requests, most.requests);
    s.rows.timed(`/${page}: drawn on a slow phone`, drawn_ms, most.drawn_ms, loops);
    s.rows.none(`/${page}: other origins, policy, errors`, first.wrong);
  }
}

async function used(s: Site): Promise<void> {
  const loops = [loop_ms(), loop_ms(), loop_ms()];
  const v = await view(s.browser, `${s.url}history/`, pages['history/']!, false);
  const { frames, heapBytes } = await use(v);
  for (const what of ['hover', 'choice'] as const)
    s.rows.timed(
      `p95 frame: ${what} (${frames[what].length} frames)`,
      quantile(frames[what], 0.95),
      ofUse.frame_ms[what],
      loops,
    );
  s.rows.exact('heap after that', heapBytes, ofUse.heapBytes);
  s.rows.none('wrong while it is used', v.wrong);
  await v.context.close();
}

async function judged(s: Site, judge: Awaited<ReturnType<typeof lighthouse>>): Promise<void> {
  for (const page of Object.keys(pages)) {
    const loops = [loop_ms()];
    const is = await judge(s.url + page);
    const { rows } = s;
    rows.least(`/${page}: Lighthouse, performance`, is.performance, ofPage.performance, loops);
    rows.least(`/${page}: Lighthouse, accessibility`, is.accessibility, ofPage.accessibility);
    rows.least(`/${page}: Lighthouse, best practices`, is.practices, ofPage.practices);
    rows.least(`/${page}: Lighthouse, SEO`, is.seo, ofPage.seo);
    rows.exact(`/${page}: layout shift`, is.shift, ofPage.shift);
    rows.timed(`/${page}: blocked`, is.blocked_ms, ofPage.blocked_ms, loops);
    if (is.failed.length) console.error(`    ${is.failed.join(', ')}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

export async function main(
  dirs: string[],
  load: (path: string) => Promise<unknown>,
): Promise<number> {
  const strange = dirs.find((d) => !existsSync(join(d, 'data/manifest.json')));
  if (dirs.length === 0 || strange !== undefined) {
    console.error(
      strange === undefined
        ? 'usage: npm run gates -- SITE…'
        : `gates: ${strange}: no data/manifest.json; want a built site, see README.md`,
    );
    return 2;
  }
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
  });
  const all: Rows[] = [];
  try {
    const judge = process.env.LIGHTHOUSE === '0' ? undefined : await lighthouse(port, load);
    for (const dir of dirs.map((d) => resolve(d))) {
      const served = await Served.start(dir);
      const rows = new Rows(basename(dir));
      all.push(rows);
      const site: Site = { url: served.url, browser, rows };
      try {
        await everyPage(site);
        await used(site);
        if (judge) await judged(site, judge);
      } finally {
        await served.stop();
      }
    }
  } finally {
    await browser.close();
  }
  const rows = all.flatMap((r) => r.all);
  console.log(printed(rows));
  for (const r of all) console.log(r.busy());
  return rows.every((r) => r.ok) ? 0 : 1;
}
