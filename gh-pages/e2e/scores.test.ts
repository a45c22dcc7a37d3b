import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axes } from '../src/scores/axes.ts';
import { scoreTable, scoreText } from '../src/scores/table.ts';
import { cells, everyLook, oneLook, settle, site, type Site } from './looks.ts';
import { open } from './page.ts';

let s: Site;
beforeAll(async () => { s = await site(); });
afterAll(() => s.served.stop());

describe('Scores', () => {
  it('are those of the formula, drawn where they belong', async () => {
    const w = await open(`${s.served.url}scores/`);
    await settle(w, 'table');
    const rows = scoreTable(s.pages.rank);
    const shown = await cells(w, 'Scores');
    rows.forEach((r, i) => {
      axes.forEach((_, a) => expect(shown[i + 1]![a + 1]).toContain(scoreText(r.by[a]!.score, r.absent[a])));
      expect(shown[i + 1]!.at(-1)).toBe(`${r.count} of ${axes.length}`);
    });
    const dots = await w.page.evaluate(() => {
      const svg = document.querySelector('figure svg[role=img]')!;
      const [zero, , , , full] = [...svg.querySelectorAll(':scope > line.grid')].map((l) => Number(l.getAttribute('x1')));
      return [...svg.querySelectorAll('path > title')].map((t) => ({ text: t.textContent!, score: (100 * (Number(/translate\(([\d.]+)/.exec(t.parentElement!.getAttribute('transform')!)![1]) - zero!)) / (full! - zero!) }));
    });
    const given = axes.flatMap((axis, a) => rows.filter((r) => r.by[a]!.score !== null).map((r) => ({ text: `${r.server}, ${axis.label}: ${scoreText(r.by[a]!.score)}`, score: r.by[a]!.score! })));
    expect(dots.map((d) => d.text)).toEqual(given.map((g) => g.text));
    dots.forEach((d, i) => expect(Math.abs(d.score - given[i]!.score), d.text).toBeLessThan(0.1));
    await w.clean();
    await w.close();
  });

  it('are read by axe without a finding, in every way', async () => {
    await everyLook(`${s.served.url}scores/`, 'table');
    for (const as of ['radar', 'table']) await oneLook(`${s.served.url}scores/?as=${as}`, 'table');
  });
});
