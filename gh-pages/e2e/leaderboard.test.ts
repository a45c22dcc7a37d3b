import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { held } from '../src/leaderboard/memory.tsx';
import { columns, lines } from '../src/leaderboard/rows.ts';
import { axesOf, scoresOf, scoreText } from '../src/leaderboard/scores.ts';
import { exact, exactly, share } from '../src/words/numbers.ts';
import { metricOf } from '../src/words/verdict.ts';
import { cells, everyLook, settle, site, titles, type Site } from './looks.ts';
import { open, type Watched } from './page.ts';

let s: Site;
beforeAll(async () => {
  s = await site();
});
afterAll(() => s.served.stop());

describe('Leaderboard', () => {
  it('shows what the file has, in every scenario', async () => {
    const { leaderboard, manifest } = s.pages;
    for (const { scenario } of leaderboard.tables) {
      const w = await open(`${s.served.url}leaderboard/?sc=${scenario}&view=all`);
      await settle(w, 'table');
      const shown = await titles(w, 'All servers');
      const head = (await cells(w, 'All servers'))[0]!;
      const of = lines(leaderboard, scenario);
      for (const { metric, at } of columns(leaderboard, scenario)) {
        const m = metricOf(manifest.metrics, metric);
        const column = head.indexOf(m.label);
        expect(column, m.label).toBeGreaterThan(0);
        of.forEach(({ row }, i) => {
          const c = row.cells[at];
          if (c)
            expect(shown[i]![column], `${scenario} ${row.target} ${metric}`).toContain(exact(c[0]));
          else expect(shown[i]![column]).toBe('not measured');
        });
      }
      await w.clean();
      await w.close();
    }
  });

  it('has what a reader asks first within a desk, and says when there is more to the right', async () => {
    const hidden = (w: Watched) => w.page.$eval('.scroll', (e) => e.scrollWidth - e.clientWidth);
    for (const { scenario } of s.pages.leaderboard.tables) {
      const w = await open(`${s.served.url}leaderboard/?sc=${scenario}`);
      await settle(w, 'table');
      const head = (await cells(w, 'All servers'))[0]!;
      for (const label of [
        'req/s',
        'p95 ms',
        'TTFT p95 ms',
        'gap p99 ms',
        'CPU %',
        'CPU µs/stream',
        'peak RSS MB',
        'failed %',
      ])
        expect(head).toContain(label);
      expect(await hidden(w), scenario).toBeLessThanOrEqual(0);
      expect(await w.page.$('.scroll[data-more]')).toBeNull();
      await w.page.click('text=all figures');
      await w.page.waitForSelector('.scroll[data-more]');
      expect(await hidden(w)).toBeGreaterThan(0);
      await w.page.$eval('.scroll', (e) => e.scrollTo(9999, 0));
      await w.page.waitForSelector('.scroll:not([data-more])');
      await w.close();
    }
  });

  it('shows ties as ranges, and who failed with the reason', async () => {
    const w = await open(`${s.served.url}leaderboard/`);
    await settle(w, 'table');
    const table = await cells(w, 'All servers in stress-200');
    expect(table[1]![1]).toContain('1-2');
    const failed = table.find((row) => row[0]!.includes('rust-actix'))!;
    expect(failed[1]).toContain('no rank');
    expect(failed).toContain('failed');
    expect(await w.page.textContent('main')).toContain(
      'the kernel ended it, since memory was short',
    );
    expect(table.at(-1)![0]).toContain('direct');
    await w.close();
  });

  it.each(['', '?view=scores', '?view=memory'])('%s is read by axe without a finding', (query) =>
    everyLook(`${s.served.url}leaderboard/${query}`, 'table'),
  );

  it('has the scores of the same figures, as radars and as a table', async () => {
    const { leaderboard, manifest } = s.pages;
    const axes = axesOf(leaderboard, manifest.metrics),
      rows = scoresOf(leaderboard, axes);
    const w = await open(`${s.served.url}leaderboard/?view=scores`);
    await settle(w, '.radar');
    const shown = await cells(w, 'Scores, 100 is the best'),
      exact = await titles(w, 'Scores, 100 is the best');
    rows.forEach((r, i) =>
      axes.forEach((axis, a) => {
        expect(shown[i + 1]![a + 1], `${r.server} ${axis.label}`).toContain(scoreText(r.by[a]!));
        expect(exact[i]![a + 1]).toBe(exactly(r.by[a]!.figure, axis.metric));
      }),
    );
    expect(
      await w.page.$$eval('.radar svg', (all) => all.map((e) => e.getAttribute('aria-label'))),
    ).toEqual(
      rows.map(
        (r) => `${r.server}: ${r.by.map((b, i) => `${axes[i]!.label} ${scoreText(b)}`).join(', ')}`,
      ),
    );
    // A dot lies as far out as its score says.
    const out = await w.page.$$eval('.radar svg', (all) =>
      all.map((svg) =>
        [...svg.querySelectorAll('circle')].map(
          (c) =>
            Math.hypot(Number(c.getAttribute('cx')) - 135, Number(c.getAttribute('cy')) - 100) /
            0.78,
        ),
      ),
    );
    rows.forEach((r, i) =>
      r.by
        .flatMap((b) => b.score ?? [])
        .forEach((score, a) =>
          expect(Math.abs(out[i]![a]! - score), `${r.server} ${a}`).toBeLessThan(0.2),
        ),
    );
    expect(await w.page.textContent('#warnings + ul')).toContain(
      'rust-actix has no figures in stress-200',
    );
    await w.clean();
    await w.close();
  });

  it('has the memory of the same figures, with shares of all', async () => {
    const w = await open(`${s.served.url}leaderboard/?view=memory`);
    for (const scenario of ['stress-200', 'baseline']) {
      if (scenario === 'baseline') await w.page.check('input[value=baseline]');
      await settle(w, `caption:text-is("Memory in ${scenario}")`);
      const shown = await titles(w, 'Memory in'),
        text = await cells(w, 'Memory in');
      held(s.pages.leaderboard, scenario).forEach((r, i) => {
        expect(shown[i]![1], r.server).toBe(
          r.peak ? `${exact(r.peak[0])}\u202fbytes` : 'not measured',
        );
        expect(text[i + 1]![3], r.server).toBe(r.share === null ? 'failed' : share(r.share));
      });
    }
    await w.clean();
    await w.close();
  });

  it('says what it does not know of an address', async () => {
    const w = await open(`${s.served.url}leaderboard/?sc=lunch`);
    await settle(w, 'table');
    expect(await w.page.textContent('.notice')).toContain('sc=lunch');
    await w.close();
  });
});
