import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Series } from '../src/data/form.ts';
import { figureOf, readRun } from '../src/data/run.ts';
import { exactly, share } from '../src/words/numbers.ts';
import { cells, everyLook, settle, site, titles, type Site } from './looks.ts';
import { open } from './page.ts';

let s: Site;
beforeAll(async () => {
  s = await site({}, 120);
});
afterAll(() => s.served.stop());

const sha = (at: number) => s.pages.history.sha[at]!.slice(0, 10);
const figures = (path: string) =>
  readRun(gunzipSync(s.pages.files.get(path) as Uint8Array).toString()).figures;

it('shows the means of both runs as their files have them', async () => {
  const w = await open(`${s.served.url}tworuns/`);
  await settle(w, 'table');
  const caption = `${sha(119)} beside ${sha(118)}`;
  const rows = await cells(w, caption),
    exact = await titles(w, caption);
  const [a, b] = [118, 119].map((at) => figures(`runs/${s.pages.history.run[at]!}.jsonl.gz`));
  let seen = 0;
  rows.slice(1).forEach((row, i) => {
    const metric = s.pages.manifest.metrics
      .filter((m) => row[1]!.startsWith(m.label))
      .sort((x, y) => y.label.length - x.label.length)[0]!;
    for (const [side, of] of [
      [2, a!],
      [3, b!],
    ] as const) {
      const p = figureOf(of, row[0]!, 'stress-100', metric.name);
      expect(exact[i]![side], `${row[0]} ${metric.name}`).toBe(exactly(p?.mean ?? null, metric));
      seen += p ? 1 : 0;
    }
  });
  expect(seen).toBeGreaterThan(50);
  // The noise is that of the files, and nothing says better or worse.
  const o = s.pages.json<Series>(s.pages.manifest.series['stress-100/rate_per_s']!);
  const noise = o.noise['go-gin']!.find(([e]) => e === 1)![1];
  expect(rows.find((row) => row[0] === 'go-gin' && row[1]!.startsWith('req/s'))![5]).toBe(
    `±${share(noise / 100)}`,
  );
  expect(await w.page.$$eval('table .worse, table .better', (all) => all.length)).toBe(0);
  await w.clean();
  await w.close();
});

it('names a run that cannot be read', async () => {
  s.served.faults.push({ path: /^runs\//, fault: 'truncated' });
  const w = await open(`${s.served.url}tworuns/`);
  await w.page.waitForSelector('main [role=alert] button');
  expect(await w.page.textContent('main [role=alert]')).toContain('It is damaged, or was cut off');
  s.served.faults.length = 0;
  await w.page.click('main [role=alert] button');
  await settle(w, 'table');
  await w.clean();
  await w.close();
});

it('is read by axe without a finding', () => everyLook(`${s.served.url}tworuns/`, 'table'));
