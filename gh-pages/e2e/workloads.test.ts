// Two workloads in the data: a page shows one of them, and never mixes both.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../src/data/form.ts';
import { cells, everyLook, settle, site, type Site } from './looks.ts';
import { open, type Watched } from './page.ts';

let s: Site, web: Manifest;
beforeAll(async () => {
  s = await site({ requests: true });
  web = JSON.parse(String(s.pages.files.get(s.pages.manifest.workloads.at(-1)!.file!))) as Manifest;
});
afterAll(() => s.served.stop());

const select = '.workload select';
const text = (w: Watched): Promise<string> => w.page.innerText('main');
const links = (w: Watched): Promise<string[]> =>
  w.page.$$eval('a[href]', (all) =>
    all
      .map((a) => a.getAttribute('href')!)
      .filter((h) => !h.startsWith('#') && !h.startsWith('http') && !/data\/|\.gz$/.test(h)),
  );

describe('Workloads', () => {
  it('are chosen in the head, and the choice stays in the address', async () => {
    const w = await open(`${s.served.url}leaderboard/`);
    await settle(w, 'table');
    expect(await w.page.inputValue(select)).toBe('relay');
    expect(await w.page.$$eval(`${select} option`, (all) => all.map((o) => o.textContent))).toEqual(
      ['relay', 'web'],
    );
    await w.page.selectOption(select, 'web');
    await w.page.waitForURL(/\?w=web$/);
    await settle(w, 'table');
    expect(await w.page.inputValue(select)).toBe('web');
    const head = (await cells(w, 'All servers'))[0]!;
    expect(head).toContain('CPU µs/request');
    expect(head.join()).not.toContain('stream');
    await w.page.click('nav >> text=Trend');
    await w.page.waitForURL(/trend\/\?w=web$/);
    await w.page.waitForSelector('#page[data-state=ready]');
    await w.page.selectOption(select, 'relay');
    await w.page.waitForURL(/trend\/$/);
    await w.clean();
    await w.close();
  });

  it('keep the address on every page, and in every link between pages', async () => {
    for (const [page, selector] of [
      ['', 'table'],
      ['leaderboard/', 'table'],
      ['trend/', 'canvas'],
      ['tworuns/', 'table'],
      ['regressions/', 'h2'],
      ['charts/', 'h1'],
      ['method/', 'table'],
      ['run/', 'a'],
    ] as const) {
      const w = await open(`${s.served.url}${page}?w=web`);
      await settle(w, selector);
      expect(await w.page.inputValue(select), page).toBe('web');
      const all = await links(w);
      expect(all.length, page).toBeGreaterThan(6);
      for (const link of all) expect(link, page).toMatch(/[?&]w=web(#|$)/);
      await w.clean();
      await w.close();
    }
  });

  it('have series, servers and words of their own', async () => {
    const w = await open(`${s.served.url}trend/?m=server_cpu_us_per_request&w=web&view=split`);
    await settle(w, 'canvas');
    expect(await w.page.innerText('h1')).toContain('CPU µs/request');
    expect(await text(w)).not.toMatch(/stream|ITL|token/i);
    expect(s.served.asked.filter((path) => path.includes('per_stream'))).toEqual([]);
    // A choice keeps the workload.
    await w.page.click('text=log');
    expect(new URL(w.page.url()).searchParams.get('w')).toBe('web');
    await w.clean();
    await w.close();
  });

  it('draw the distributions of their unit', async () => {
    const run = web.leaderboard!;
    const { run: id } = JSON.parse(String(s.pages.files.get(run))) as { run: string };
    const w = await open(`${s.served.url}run/?id=${id}&of=leaderboard&w=web`);
    await settle(w, '.panels');
    const measures = await w.page.$$eval('input[name=dm]', (all) =>
      all.map((i) => (i as HTMLInputElement).parentElement!.textContent!.trim()),
    );
    expect(measures).toEqual(['time of a request', 'time to first byte']);
    expect((await cells(w, 'time of a request')).length).toBeGreaterThan(3);
    await w.page.click('text=time to first byte');
    await settle(w, '.panels');
    expect((await cells(w, 'time to first byte')).length).toBeGreaterThan(3);
    expect(new URL(w.page.url()).searchParams.get('w')).toBe('web');
    expect(await text(w)).toContain('Requests per second of each slice');
    await w.clean();
    await w.close();
  });

  it('have scores of their unit', async () => {
    const w = await open(`${s.served.url}leaderboard/?view=scores&w=web`);
    await settle(w, '.radar');
    const head = (await cells(w, 'Scores'))[0]!.join();
    expect(head).toContain('request');
    expect(head).not.toContain('stream');
    await w.clean();
    await w.close();
  });

  it('that nobody knows are named, and the first is shown', async () => {
    const w = await open(`${s.served.url}?w=nope`);
    await settle(w, 'table');
    expect(await w.page.innerText('#state')).toContain('Unknown in the address: w=nope');
    expect(await w.page.inputValue(select)).toBe('relay');
    await w.clean();
    await w.close();
  });

  it('need no choice when there is one', async () => {
    const one = await site();
    const w = await open(`${one.served.url}leaderboard/`);
    await settle(w, 'table');
    expect(await w.page.isVisible('.workload')).toBe(false);
    expect((await links(w)).filter((link) => link.includes('w='))).toEqual([]);
    await w.clean();
    await w.close();
    await one.served.stop();
  });

  it('are read by axe without a finding', () =>
    everyLook(`${s.served.url}leaderboard/?w=web`, 'table'));
});
