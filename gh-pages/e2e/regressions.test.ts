import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Events } from '../src/data/form.ts';
import { percent } from '../src/words/numbers.ts';
import { everyLook, settle, site, type Site } from './looks.ts';
import { open } from './page.ts';

let s: Site;
beforeAll(async () => {
  s = await site();
});
afterAll(() => s.served.stop());

it('has every event of the file, and opens with those that are open', async () => {
  const w = await open(`${s.served.url}regressions/`);
  await settle(w, '.events');
  const { events } = s.pages.json<Events>(s.pages.manifest.events);
  expect(await w.page.$$eval('.event', (all) => all.map((e) => e.id))).toEqual(
    events.filter((f) => f.verdict === 'regressed' && f.confirmed && !f.accepted).map((f) => f.id),
  );
  await w.page.check('input[name=show] >> nth=2');
  await w.page.waitForFunction(() => location.search === '?show=all');
  expect(await w.page.$$eval('.event', (all) => all.map((e) => e.id))).toEqual(
    events.map((f) => f.id),
  );
  await w.page.waitForSelector('.event .spark');
  expect(await w.page.textContent('.events')).toContain('HTTP/2 costs this much');
  for (const f of events) {
    const text = await w.page.textContent(`[id="${f.id}"] .main`);
    expect(text?.includes(' against the figure before it: ')).toBe(f.now !== null);
    if (f.now) expect(text).toContain(`Now ${percent(f.now.change)} against`);
  }
  await w.clean();
  await w.close();
});

it('is read by axe without a finding', () =>
  everyLook(`${s.served.url}regressions/?show=all`, '.events'));
