import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Events } from '../src/data/form.ts';
import { changeOf, metricOf } from '../src/words/verdict.ts';
import { cellOf } from '../src/data/leaderboard.ts';
import { three, value } from '../src/words/numbers.ts';
import { place, standing } from '../src/words/ranks.ts';
import { cells, everyLook, settle, site, type Site } from './looks.ts';
import { open } from './page.ts';

let s: Site;
beforeAll(async () => {
  s = await site();
});
afterAll(() => s.served.stop());

describe('Health', () => {
  it('says how many regressions are open, and shows every newest figure', async () => {
    const w = await open(s.served.url);
    await settle(w, 'table');
    expect(await w.page.textContent('.answer')).toContain(
      `${s.pages.health.open!.length} open regression`,
    );
    const first = await w.page.locator('ul[aria-label="Open regressions"] > li').allTextContents();
    const named = s.pages
      .json<Events>(s.pages.manifest.events)
      .events.filter((f) => s.pages.health.open!.includes(f.id));
    expect(first.length).toBe(named.length);
    named.forEach((f, i) => {
      for (const word of [
        f.server,
        f.head.slice(0, 10),
        changeOf(f.cells[0]!, s.pages.manifest.metrics),
      ])
        expect(first[i]).toContain(word);
    });
    const table = await cells(w, 'Every server');
    for (const [at, h] of s.pages.health.headlines.entries()) {
      for (const row of table.slice(1)) {
        const name = row[0]!;
        const pulse = h.servers[name];
        if (pulse)
          expect(row[at + 1], `${name} ${h.metric}`).toContain(
            value(pulse.m, metricOf(s.pages.manifest.metrics, h.metric)),
          );
      }
    }
    expect(table.length - 1).toBe(
      new Set(s.pages.health.headlines.flatMap((h) => Object.keys(h.servers))).size,
    );
    // who failed, and why
    expect(await w.page.textContent('.notice')).toContain('it exited with 137');
    // The first press of a head puts the best first.
    for (const [at, h] of s.pages.health.headlines.entries()) {
      const { better } = metricOf(s.pages.manifest.metrics, h.metric);
      const head = w.page.locator(`table thead th >> nth=${at + 1}`);
      await head.locator('button').click();
      expect(await head.getAttribute('aria-sort'), h.metric).toBe(
        better === 'lower' ? 'ascending' : 'descending',
      );
    }
    await w.clean();
    await w.close();
  });

  it('shows in one picture who is fastest and who is cheapest', async () => {
    const w = await open(s.served.url);
    await settle(w, '#standing');
    const { rankings } = s.pages.leaderboard;
    expect(rankings.length).toBe(2);
    expect(await w.page.textContent('#standing + .answer')).toBe(
      `${standing(rankings[0]!, 'Cheapest')} ${standing(rankings[1]!, 'Fastest')}`,
    );
    const charts = w.page.locator('.standing figure');
    expect(await charts.count()).toBe(rankings.length);
    for (const [i, r] of rankings.entries()) {
      const rows = await charts.nth(i).locator('li').allTextContents();
      expect(rows.length).toBe(r.ranked.length);
      const m = metricOf(s.pages.manifest.metrics, r.metric);
      for (const [at, { server }] of r.ranked.entries()) {
        const [mid, low, high] = cellOf(s.pages.leaderboard, r.scenario, server, r.metric)!;
        for (const word of [server, place(r, server), three(mid * m.scale)])
          expect(rows[at], server).toContain(word);
        if (three(low * m.scale) !== three(high * m.scale))
          expect(rows[at], server).toContain(`${three(low * m.scale)} to ${three(high * m.scale)}`);
      }
      const lengths = await charts
        .nth(i)
        .locator('rect')
        .evaluateAll((all) => all.map((e) => e.getBoundingClientRect().width));
      const sorted = lengths.toSorted((a, b) => (m.better === 'higher' ? b - a : a - b));
      lengths.forEach((length, at) =>
        expect(Math.abs(length - sorted[at]!) / length, `bar ${at}`).toBeLessThan(0.05),
      );
      const first = r.ranked.filter((x) => x.best === 1).length;
      expect(await charts.nth(i).locator('.tied').count()).toBe(first > 1 ? first : 0);
    }
    await w.page.emulateMedia({ media: 'print' });
    expect(await w.page.locator('.standing .bar').first().isVisible()).toBe(true);
    await w.clean();
    await w.close();
  });

  it('shows no picture without a leaderboard', async () => {
    const files = s.served.files;
    const text = files.get('data/manifest.json')!;
    files.set(
      'data/manifest.json',
      JSON.stringify({ ...s.pages.manifest, leaderboard: null, leaderboards: null }),
    );
    const w = await open(s.served.url);
    await settle(w, 'table');
    expect(await w.page.locator('#standing, [role=alert]').count()).toBe(0);
    files.set('data/manifest.json', text);
    await w.clean();
    await w.close();
  });

  it('is read by axe without a finding', () => everyLook(s.served.url, '#verdicts'));

  it('keeps a file that is missing to its place, with a way to try again', async () => {
    s.served.faults.push({ path: /data\/events/, fault: 'offline' });
    const w = await open(s.served.url);
    await settle(w, '[role=alert]');
    expect(await w.page.textContent('[role=alert]')).toContain('data/events');
    expect(await w.page.locator('table').count()).toBe(1);
    s.served.faults.length = 0;
    await w.page.click('[role=alert] button');
    await settle(w, '#verdicts');
    await w.close();
  });
});
