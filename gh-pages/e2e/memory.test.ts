import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpack } from '../src/data/run.ts';
import { held, scenariosOf } from '../src/memory/memory.ts';
import { exact, share } from '../src/words/numbers.ts';
import { cells, everyLook, settle, site, titles, type Site } from './looks.ts';
import { open } from './page.ts';

let s: Site;
beforeAll(async () => { s = await site(); });
afterAll(() => s.served.stop());

describe('Memory', () => {
  it('shows each figure of the records, its share, and draws the shares', async () => {
    const { records } = unpack(gunzipSync(s.pages.files.get(`runs/${s.pages.rank.run}.rank.jsonl.gz`) as Uint8Array).toString());
    const w = await open(`${s.served.url}memory/`);
    for (const scenario of [scenariosOf(records).at(-1)!, 'baseline']) {
      if (scenario === 'baseline') await w.page.check('input[value=baseline]');
      await settle(w, `caption:text-is("Memory in ${scenario}")`);
      const rows = held(records, scenario);
      const shown = await titles(w, 'Memory in'), text = await cells(w, 'Memory in');
      rows.forEach((r, i) => {
        if (!r.peak) return expect(shown[i]![1]).toBe('not measured');
        expect(shown[i]![1], r.server).toContain(exact(r.peak.mid));
        return expect(text[i + 1]![3], r.server).toBe(share(r.share!));
      });
      const widths = await w.page.evaluate(() => [...document.querySelectorAll('figure .lines rect')].map((r) => Number(r.getAttribute('width'))));
      const known = rows.filter((r) => r.share !== null).sort((a, b) => b.share! - a.share!);
      expect(widths.length).toBe(known.length);
      const total = widths.reduce((a, b) => a + b + 2, 0);
      widths.forEach((px, i) => expect((px + 2) / total).toBeCloseTo(known[i]!.share!, 3));
    }
    await w.clean();
    await w.close();
  });

  it('is read by axe without a finding', () => everyLook(`${s.served.url}memory/`, 'table'));
});
