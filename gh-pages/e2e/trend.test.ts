// The trend page draws what the files have, and can be used without a pointer.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { Series } from '../src/data/form.ts';
import { fixture } from '../test/fixture/files.ts';
import { three } from '../src/words/numbers.ts';
import { everyLook } from './looks.ts';
import { open, violations } from './page.ts';
import { Served } from './server.ts';

const f = fixture({
  seed: 1,
  commits: 1300,
  hostile: true,
  scenarios: ['baseline', 'stress-100'],
  metrics: ['rate_per_s', 'rate_x_direct', 'ttft_p95_ms'],
  raw: 1,
});
let served: Served;
beforeAll(async () => {
  served = await Served.start(f.files);
});
afterAll(() => served.stop());

type Plot = {
  data: (number | null)[][];
  scales: { x: { min: number; max: number } };
  series: { label?: string }[];
};
const drawn = (page: Page) => page.waitForSelector('figure[data-state=drawn] .u-over');
const plot = (page: Page) =>
  page.evaluate(() => {
    const { data, scales, series } = (
      document.querySelector('.canvas') as unknown as { plot: Plot }
    ).plot;
    return {
      data: data.map((d) => [...d]),
      window: [scales.x.min, scales.x.max],
      labels: series.map((s) => s.label),
    };
  });
const query = (page: Page) => new URL(page.url()).search;

/** Points of a server, as they are to be drawn. */
const points = (series: string, server: string): (number | null)[] =>
  f.json<Series>(f.manifest.series[series]!).servers[server]!.m;

it('draws every point, gap and epoch of the files', async () => {
  const { page, clean, close } = await open(`${served.url}trend/`);
  await drawn(page);
  const first = await plot(page);
  expect(first.window).toEqual([1099.5, 1299.5]);
  expect(first.data[0]).toEqual(f.history.sha.map((_, i) => i));
  f.manifest.servers.forEach(({ name }, i) => {
    expect(first.labels[1 + 4 * i]).toBe(name);
    expect(first.data[1 + 4 * i], name).toEqual(points('stress-100/rate_per_s', name));
    first.data[2 + 4 * i]!.forEach((v, at) =>
      expect(v === null, `${name}: the line at ${at}`).toBe(first.data[1 + 4 * i]![at] === null),
    );
  });
  expect(first.data.flat().filter((v) => v === null).length).toBeGreaterThan(50);
  // Another series, lines as they were measured.
  await page.goto(
    `${served.url}trend/?m=rate_per_s&of=direct&sc=baseline&sv=go-fiber,rust-http&last=all&smooth=0&band=none`,
  );
  await drawn(page);
  const all = await plot(page);
  ['go-fiber', 'rust-http'].forEach((name, i) => {
    const want = points('baseline/rate_x_direct', name);
    expect(all.data[1 + 4 * i], name).toEqual(want);
    expect(all.data[2 + 4 * i], name).toEqual(want);
    expect(all.data[3 + 4 * i]!.every((v) => v === null)).toBe(true);
  });
  await page.goto(`${served.url}trend/?sv=go-http&last=all&x=date`);
  await drawn(page);
  const dated = await plot(page);
  const time = f.history.time.filter((t) => t !== null);
  expect(dated.data[0]).toEqual(time);
  expect(dated.data[1]).toEqual(
    points('stress-100/rate_per_s', 'go-http').filter((_, i) => f.history.time[i] !== null),
  );
  expect(await page.textContent('figcaption')).toContain(
    '1 commit without a known date is left out',
  );
  await clean();
  await close();
});

it('says in its table and its sentences what it draws', async () => {
  const { page, clean, close } = await open(`${served.url}trend/?view=table&sv=go-gin,rust-actix`);
  await page.waitForSelector('figure[data-state=drawn] table');
  const rows = await page.$$eval('figure table >> nth=0', (t) =>
    [...t[0]!.querySelectorAll('tbody tr')].map((r) =>
      [...r.children].map((c) => [c.textContent, c.getAttribute('title')]),
    ),
  );
  expect(rows).toHaveLength(25);
  const want = points('stress-100/rate_per_s', 'go-gin').slice(-25).reverse();
  rows.forEach((r, i) => {
    expect(r[0]![0]).toBe(f.history.sha[1299 - i]!.slice(0, 10));
    expect(r[3]![1]).toBe(
      want[i] === null ? 'not measured' : `${Number(want[i]!.toPrecision(12))} req/s`,
    );
    expect(r[1]![0]!.replace(/[▼▲●△▽].*$/, '')).toBe(
      f.history.subject[1299 - i]?.replace(/[\u0000\u200b\u202a-\u202e]/g, '\ufffd') ?? '',
    );
  });
  expect(await page.textContent('figure caption')).toBe(
    'req/s of stress-100, 200 commits, newest first',
  );
  expect(rows[12]![1]![0]).toContain('▼ go-gin worse −6.0');
  expect(await page.title()).toBe('req/s, stress-100 · Trend · Fairstream');
  const said = await page.textContent('.answer');
  expect(said).toContain(
    `go-gin got worse: −6.0\u202f% [−7.1\u202f%, −4.8\u202f%] at ${f.history.sha[1287]!.slice(0, 10)}`,
  );
  expect(said).toContain('rust-actix gave no figure in the newest run');
  expect(await page.getAttribute('.answer a', 'href')).toBe(
    `../run/?id=${encodeURIComponent(f.history.run[1299]!)}`,
  );
  await page.click('text=Next 25');
  expect(await page.textContent('.pager [role=status]')).toBe('26 to 50 of 200');
  // A commit is chosen from there: the page stays, and the focus.
  await page.click('figure table >> nth=0 >> tbody tr:first-child button');
  await page.waitForFunction(
    (sha) => location.search.includes(`sel=${sha}`),
    f.history.sha[1274]!.slice(0, 10),
  );
  expect(await page.textContent('.pager [role=status]')).toBe('26 to 50 of 200');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
    f.history.sha[1274]!.slice(0, 10),
  );
  expect(await violations(page)).toEqual([]);
  await clean();
  await close();
});

it('takes a click of an unsteady hand for a click, and a drag for a zoom', async () => {
  const { page, clean, close } = await open(`${served.url}trend/`);
  await drawn(page);
  const plotted = (await page.locator('.u-over').boundingBox())!;
  const drag = async (from: number, pixels: number) => {
    const x = plotted.x + from * plotted.width,
      y = plotted.y + plotted.height / 2;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + pixels, y, { steps: 3 });
    await page.mouse.up();
  };
  await drag(0.5, 3);
  await page.waitForFunction(() => location.search.includes('sel='));
  expect((await plot(page)).window).toEqual([1099.5, 1299.5]);
  const chosen = new URL(page.url()).searchParams.get('sel');
  await drag(0.25, plotted.width / 2);
  await page.waitForFunction(() => location.search.includes('from='));
  expect(new URL(page.url()).searchParams.get('sel')).toBe(chosen);
  await drag(0.75, 3);
  await page.waitForFunction((sha) => !location.search.includes(`sel=${sha}`), chosen);
  await clean();
  await close();
});

it('says of each server its newest figure', async () => {
  const { page, clean, close } = await open(`${served.url}trend/`);
  await drawn(page);
  const said = await page.$$eval('.servers li', (all) =>
    all.map((li) => [
      li.querySelector('.name')!.textContent,
      li.querySelector('.newest')!.textContent.replace(' †', ''),
    ]),
  );
  expect(said).toEqual(
    f.manifest.servers.map(({ name }) => [
      name,
      three(points('stress-100/rate_per_s', name).findLast((v) => v !== null)!),
    ]),
  );
  await clean();
  await close();
});

it('keeps what was chosen last, however soon after a zoom', async () => {
  const { page, clean, close } = await open(`${served.url}trend/`);
  await drawn(page);
  await page.evaluate(async () => {
    (document.querySelector('[aria-label="Zoom in"]') as HTMLElement).click();
    await new Promise((done) => setTimeout(done, 60));
    (
      [...document.querySelectorAll('[aria-label=Newest] button')].find(
        (b) => b.textContent === '50 runs',
      ) as HTMLElement
    ).click();
  });
  await page.waitForFunction(
    () => document.querySelector('[aria-pressed=true]')?.textContent === '50 runs',
  );
  await page.waitForTimeout(1000); // longer than a zoom waits to be written
  expect(query(page)).toBe('?last=50');
  expect((await plot(page)).window).toEqual([1249.5, 1299.5]);
  await clean();
  await close();
});

it('is used by keyboard from chart to event to details', async () => {
  const { page, clean, close } = await open(`${served.url}trend/`);
  await drawn(page);
  await page.focus('.plot');
  const press = async (...keys: string[]) => {
    for (const k of keys) await page.keyboard.press(k);
  };
  const readout = () => page.textContent('.readout');
  await press('PageUp'); // the newest event
  expect(await readout()).toMatch(
    new RegExp(
      `^go-gin, commit ${f.history.sha[1287]!.slice(0, 10)}, .*\\sreq/s, noise .*, event: worse by 6.0\\s%$`,
    ),
  );
  await page.waitForFunction(
    (text) => document.querySelector('[aria-live]')?.textContent === text,
    await readout(),
  );
  await page.waitForFunction(
    (sha) => location.search.includes(`sel=${sha}`),
    f.history.sha[1287]!.slice(0, 10),
  );
  await press('ArrowLeft');
  expect(await readout()).toContain(f.history.sha[1286]!.slice(0, 10));
  await press('Shift+ArrowLeft', 'ArrowDown');
  expect(await readout()).toMatch(
    new RegExp(`^go-http, commit ${f.history.sha[1276]!.slice(0, 10)}`),
  );
  await press('Home');
  expect(await readout()).toContain(f.history.sha[1100]!.slice(0, 10));
  await press('ArrowLeft'); // pans
  await page.waitForFunction(
    (sha) => location.search.includes(`from=${sha}`),
    f.history.sha[1099]!.slice(0, 10),
  );
  await press('+');
  expect((await plot(page)).window[1]! - (await plot(page)).window[0]!).toBeLessThan(120);
  await press('End', 'Enter');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('detail');
  await page.focus('.plot');
  await press('0');
  expect((await plot(page)).window).toEqual([-0.5, 1299.5]);
  await press('Escape');
  expect(await page.evaluate(() => document.activeElement?.classList.contains('plot'))).toBe(false);
  // The strip's grips are sliders, and a link to what is seen shows the same.
  await page.focus('.grip.from');
  await press('End');
  expect(await page.getAttribute('.grip.from', 'aria-valuenow')).toBe('1293');
  await page.waitForFunction(
    (sha) => location.search.includes(sha),
    f.history.sha[1292]!.slice(0, 10),
  );
  const link = page.url();
  await page.goto(link);
  await drawn(page);
  expect((await plot(page)).window).toEqual([1291.5, 1299.5]);
  expect(query(page)).toBe(new URL(link).search);
  await clean();
  await close();
});

it('gives axe nothing to say', () =>
  everyLook(
    `${served.url}trend/?sel=${f.history.sha[1287]!.slice(0, 10)}`,
    'figure[data-state=drawn] .u-over',
    undefined,
    async ({ page }) => {
      if (!(await page.isVisible('.controls fieldset'))) await page.click('summary.sheet');
    },
  ));
