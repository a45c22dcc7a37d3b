import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Commits, Series } from '../src/data/types.ts';
import { three } from '../src/words/numbers.ts';
import { open, violations, type Watched } from './page.ts';
import { Served } from './server.ts';
import { phone } from './sizes.ts';

let served: Served;
beforeAll(async () => {
  served = await Served.start(inject('site'));
});
afterAll(() => served.stop());

const json = async <T>(path: string) => (await (await fetch(served.url + path)).json()) as T;
const label = (w: Watched) => w.page.getAttribute('#chart svg', 'aria-label');
const shows = (w: Watched, text: string) =>
  w.page.waitForFunction(
    (t) => document.querySelector('#chart svg')?.getAttribute('aria-label')?.includes(t),
    text,
  );

it('begins with the newest event, its server and its metric', async () => {
  const w = await open(`${served.url}history/`);
  const heading = (await w.page.textContent('h1'))!;
  const [server] = heading.split(':');
  expect(await w.page.inputValue('select[name=sv]')).toBe(server);
  expect(await label(w)).toContain(server);
  expect(heading).toMatch(/[+−]\d+\.\d\u00a0%/);
  await w.clean();
  await w.close();
});

it('has a name for each line on a phone', async () => {
  const w = await open(`${served.url}history/`, { size: phone });
  const servers = await w.page.locator('select[name=sv] option').count();
  const names = await w.page.$$eval('#chart text.name', (all) =>
    all.map((e) => {
      const box = e.getBoundingClientRect();
      return { top: box.top, inside: box.left >= 0 && box.right <= innerWidth };
    }),
  );
  expect(names.length).toBe(servers);
  expect(names.every((n) => n.inside)).toBe(true);
  const tops = names.map((n) => n.top).sort((a, b) => a - b);
  for (const [i, top] of tops.entries())
    if (i > 0) expect(top - tops[i - 1]!).toBeGreaterThanOrEqual(15);
  await w.close();
});

it('shows what is chosen, and keeps it in the address', async () => {
  const w = await open(`${served.url}history/`);
  const before = await label(w);
  await w.page.selectOption('select[name=sv]', 'bun-hono');
  await shows(w, 'bun-hono');
  await w.page.selectOption('select[name=sc]', 'steady');
  await shows(w, 'steady');
  expect(new URL(w.page.url()).searchParams.get('sv')).toBe('bun-hono');
  expect(await w.page.getAttribute('#files a', 'href')).toMatch(/^steady\/\w+\.json$/);
  expect(await violations(w.page)).toEqual([]);
  await w.page.reload();
  await shows(w, 'steady');
  expect(await label(w)).toContain('bun-hono');
  await w.page.goto(`${served.url}history/`);
  expect(await label(w)).toBe(before);
  await w.clean();
  await w.close();
});

it('goes back to what it began with', async () => {
  const w = await open(`${served.url}history/`);
  const before = (await label(w))!;
  await w.page.selectOption('select[name=sv]', 'bun-hono');
  await shows(w, 'bun-hono');
  await w.page.goBack();
  await shows(w, before);
  await w.close();
});

it('says the figure and the commit of a point, by keys and by the pointer', async () => {
  const w = await open(`${served.url}history/?sc=stress-100&m=rate_per_s&sv=bun-hono`);
  await shows(w, 'bun-hono in stress-100');
  const series = await json<Series>('history/stress-100/rate_per_s.json');
  const path = await w.page.getAttribute('#chips', 'data-commits');
  const commits = await json<Commits>(path!);
  const known = series.servers['bun-hono']!.m.flatMap((v, i) => (v === null ? [] : [i]));
  const says = async (place: number) => {
    await w.page.waitForFunction(
      (sha) => document.getElementById('point')!.textContent!.includes(sha),
      commits.sha[place]!,
    );
    expect(await w.page.textContent('#point')).toContain(
      three(series.servers['bun-hono']!.m[place]!),
    );
  };
  await w.page.focus('#chart');
  await w.page.keyboard.press('ArrowLeft');
  await says(known.at(-1)!);
  await w.page.keyboard.press('ArrowLeft');
  await says(known.at(-2)!);
  const box = await w.page.$eval('#chart svg.data', (e) => e.getBoundingClientRect().toJSON());
  await w.page.mouse.move(box.x + 1, box.y + 50);
  await says(known[0]!);
  await w.page.click('#point a');
  await w.page.waitForSelector('#run[data-state=ready] table');
  expect(await w.page.textContent('main')).toContain(commits.sha[known[0]!]!);
  await w.clean();
  await w.close();
});

it('says so where a server has no figures, and a picture cannot be read', async () => {
  const w = await open(`${served.url}history/`);
  served.faults.push({ path: /bun-http\.svg/, fault: 'missing' });
  await w.page.selectOption('select[name=sv]', 'bun-http');
  await w.page.waitForFunction(() =>
    document.getElementById('point')!.textContent!.startsWith('bun-http has no figures of'),
  );
  served.faults.length = 0;
  await w.close();
});

it('has a row for each event, which leads to its picture and its commit', async () => {
  const w = await open(`${served.url}history/`);
  const rows = await w.page.$$eval('#events ~ .scroll tbody tr', (all) =>
    all.map((r) => ({
      id: r.id,
      text: r.textContent!,
      to: r.querySelector('a')!.getAttribute('href')!,
    })),
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const r of rows) {
    expect(r.text).toMatch(/open|accepted by|fixed at|improved|not confirmed/);
    expect(r.text).toMatch(/[0-9a-f]{10}/);
  }
  await w.page.goto(new URL(rows.at(-1)!.to, w.page.url()).href);
  const server = new URLSearchParams(rows.at(-1)!.to.split('?')[1]!.split('#')[0]).get('sv')!;
  await shows(w, server);
  await w.close();
});
