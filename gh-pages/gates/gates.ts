// Measures the cost of the site for a reader, in Chromium with a built site of full size.
// Prints a table. Status 1: a limit is exceeded.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import type { Manifest } from '../src/data/form.ts';
import { Served } from '../e2e/server.ts';
import { lighthouse } from './lighthouse.ts';
import { limitsOf, ofPage } from './limits.ts';
import { loop_ms, median, printed, quantile, Rows } from './table.ts';
import { use } from './use.ts';
import { view, type View } from './view.ts';

const DRAWN = 'figure[data-state=drawn] .u-over';
const READY = '#page[data-state]:not(:has(.loading))';
const TIMES = 5;

interface Site {
  dir: string;
  url: string;
  browser: Browser;
  rows: Rows;
  m: Manifest;
  pages: string[];
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
    const v = await view(s.browser, s.url + path, DRAWN, true);
    await v.context.close();
    views.push(v);
  }
  return { first: views[0]!, drawn_ms: median(views.map((v) => v.drawn_ms)), loops };
}

async function trend(s: Site): Promise<void> {
  const limits = limitsOf(s.m.servers.length);
  const { rows } = s;
  const begin = await slowly(s, 'trend/');
  rows.exact('trend, first view: bytes', begin.first.bytes, limits.firstBytes);
  rows.exact('trend, first view: requests', begin.first.requests, limits.firstRequests);
  rows.timed(
    'trend, first view: drawn on a slow phone',
    begin.drawn_ms,
    limits.firstDrawn_ms,
    begin.loops,
  );
  for (const [what, path] of [
    ['by commit', 'trend/?last=all'],
    ['by date', 'trend/?last=all&x=date'],
  ] as const) {
    const whole = await slowly(s, path);
    rows.exact(`whole history, ${what}: bytes`, whole.first.bytes, limits.fullBytes);
    rows.timed(
      `whole history, ${what}: drawn on a slow phone`,
      whole.drawn_ms,
      limits.fullDrawn_ms,
      whole.loops,
    );
  }
}

async function used(s: Site): Promise<void> {
  const limits = limitsOf(s.m.servers.length);
  const loops = [loop_ms(), loop_ms(), loop_ms()];
  const v = await view(s.browser, `${s.url}trend/?last=all`, DRAWN, false);
  const { frames, heapBytes } = await use(v);
  for (const [what, times] of Object.entries(frames))
    s.rows.timed(
      `p95 frame: ${what} (${times.length} frames)`,
      quantile(times, 0.95),
      limits.frame_ms,
      loops,
    );
  s.rows.exact('heap after that', heapBytes, limits.heapBytes);
  s.rows.none('wrong while it is used', v.wrong);
  await v.context.close();
}

async function everyPage(s: Site): Promise<void> {
  for (const page of s.pages) {
    const v = await view(s.browser, s.url + page, page === 'trend/' ? DRAWN : READY, false);
    s.rows.exact(`/${page}: scripts, bytes`, v.scriptBytes, ofPage.scriptBytes);
    s.rows.none(`/${page}: other origins, policy, errors`, v.wrong);
    await v.context.close();
  }
}

async function judged(s: Site, judge: Awaited<ReturnType<typeof lighthouse>>): Promise<void> {
  for (const page of s.pages) {
    const loops = [loop_ms()];
    const is = await judge(s.url + page);
    const { rows } = s;
    rows.least(
      `/${page}: Lighthouse, performance`,
      is.performance,
      limitsOf(s.m.servers.length).performance,
      loops,
    );
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
      const m = JSON.parse(readFileSync(join(dir, 'data/manifest.json'), 'utf8')) as Manifest;
      const served = await Served.start(new Map(), pathToFileURL(`${dir}/`));
      const pages = [
        '',
        ...readdirSync(dir)
          .filter((d) => existsSync(join(dir, d, 'index.html')))
          .map((d) => `${d}/`),
      ];
      const rows = new Rows(`${m.servers.length} servers`);
      all.push(rows);
      const site: Site = { dir, url: served.url, browser, rows, m, pages };
      try {
        await everyPage(site);
        await trend(site);
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
