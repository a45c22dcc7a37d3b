import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRun } from '../src/data/run.ts';
import { tables } from '../src/data/figures.ts';
import { ratesOf } from '../src/run/slicerates.tsx';
import { exact } from '../src/words/numbers.ts';
import { metricOf } from '../src/words/verdict.ts';
import { cells, everyLook, settle, site, titles, type Site } from './looks.ts';
import { open } from './page.ts';
import { phone } from './sizes.ts';

let s: Site;
let leaderboard: string; // address of the run of all servers
beforeAll(async () => {
  s = await site();
  leaderboard = `${s.served.url}run/?id=${s.pages.leaderboard.run}&of=leaderboard`;
});
afterAll(() => s.served.stop());

describe('Run', () => {
  it('shows the means of the file, of both kinds of run', async () => {
    for (const [query, file] of [
      ['&of=leaderboard', '.leaderboard'],
      ['', ''],
    ]) {
      const text = gunzipSync(
        s.pages.files.get(`runs/${s.pages.leaderboard.run}${file}.jsonl.gz`) as Uint8Array,
      ).toString();
      const w = await open(`${s.served.url}run/?id=${s.pages.leaderboard.run}${query}`);
      await settle(w, '#figures');
      for (const of of tables(readRun(text), s.pages.manifest.columns)) {
        const head = (await cells(w, of.scenario))[0]!;
        const shown = await titles(w, of.scenario);
        of.columns.forEach((metric, at) => {
          const column = head.indexOf(metricOf(s.pages.manifest.metrics, metric).label);
          of.rows.forEach((row, i) => {
            const f = row.figures[at];
            if (f)
              expect(shown[i]![column], `${of.scenario} ${row.target} ${metric}`).toContain(
                exact(f.mean),
              );
            else if (column > 0) expect(shown[i]![column]).toBe('not measured');
          });
        });
      }
      expect(await w.page.textContent('#page')).toContain(
        query ? 'the kernel ended it' : 'it exited with 137',
      );
      await w.clean();
      await w.close();
    }
  });

  it('says on a phone, too, where it comes from', async () => {
    const w = await open(leaderboard, { size: phone });
    await settle(w, '.facts');
    const out = await w.page.$$eval(
      '.facts dd',
      (all, width) =>
        all
          .filter((e) => {
            const at = e.getBoundingClientRect();
            return e.textContent === '' || at.left < 0 || at.right > width || at.width < 100;
          })
          .map((e) => e.textContent),
      phone.width,
    );
    expect(out).toEqual([]);
    expect((await w.page.$$('.facts dd')).length).toBeGreaterThan(5);
    await w.clean();
    await w.close();
  });

  it('draws each second that was sampled, and leaves a itl where none was', async () => {
    const w = await open(`${leaderboard}&sc=stress&rd=2`);
    await settle(w, '.panels');
    const k6Run = s.pages.details.k6_runs.find((l) => l.scenario === 'stress' && l.round === 2)!;
    const drawn = await w.page.evaluate(() =>
      [...document.querySelectorAll('.panels figure')].map((f) => ({
        process: f.querySelector('h3')!.textContent!.trim(),
        vertices: [...f.querySelectorAll('svg[role=img] > path')].map(
          (p) => (p.getAttribute('d')!.match(/[ML]/g) ?? []).length,
        ),
        parts: [...f.querySelectorAll('svg[role=img] > path')].map(
          (p) => (p.getAttribute('d')!.match(/M/g) ?? []).length,
        ),
      })),
    );
    expect(drawn.map((d) => d.process).sort()).toEqual(
      k6Run.timelines.map((t) => t.process).sort(),
    );
    for (const d of drawn) {
      const t = k6Run.timelines.find((x) => x.process === d.process)!;
      const known = t.cpu_pct.filter((v) => v !== null).length;
      expect(d.vertices, d.process).toEqual([known, known]);
      expect(d.parts[0], d.process).toBe(known === t.cpu_pct.length ? 1 : 2);
    }
    const levels = await w.page.evaluate(() =>
      [...document.querySelectorAll('.cols figure')].map(
        (f) => f.querySelectorAll('svg[role=img] g path').length,
      ),
    );
    expect(levels).toEqual(
      ['stress-10', 'stress-100', 'stress-200'].map(
        (p) => [...ratesOf(k6Run, p).values()].flat().length,
      ),
    );
    await w.close();
  });

  it('has a row for each target of a distribution, whatever is chosen', async () => {
    const w = await open(`${leaderboard}&ds=stress-100&dm=ttft`);
    await settle(w, '.panels');
    const rows = await cells(w, 'time to first token in stress-100');
    expect(rows.length - 1).toBe(
      s.pages.details.distributions.filter((d) => d.scenario === 'stress-100' && d.curves.ttft)
        .length,
    );
    expect(rows[1]!.at(-1)).toBe('400');
    await w.close();
  });

  it('is read by axe without a finding', () => everyLook(leaderboard, '.panels'));

  it('says so where no details were kept, and where the run is not known', async () => {
    const without = await site({ details: false });
    const w = await open(
      `${without.served.url}run/?id=${without.pages.leaderboard.run}&of=leaderboard`,
    );
    await settle(w, '#figures');
    expect(await w.page.textContent('main')).toContain(
      'This run has no published timelines and distributions',
    );
    await w.close();
    await without.served.stop();
    const lost = await open(`${s.served.url}run/?id=0000000000`);
    await settle(lost, '.notice');
    expect(await lost.page.textContent('.notice')).toContain(
      'No measured commit begins with 0000000000',
    );
    await lost.close();
  });

  it('names a file that cannot be read, and tries again', async () => {
    for (const fault of ['truncated', 'missing', 'offline'] as const) {
      s.served.faults.push({ path: /\.leaderboard\.jsonl/, fault });
      const w = await open(leaderboard);
      await settle(w, '[role=alert]');
      expect(await w.page.textContent('[role=alert]'), fault).toContain('.leaderboard.jsonl.gz');
      s.served.faults.length = 0;
      await w.page.click('[role=alert] button');
      await settle(w, '#figures');
      await w.close();
    }
  });

  it('lists all runs', async () => {
    const long = await site({}, 300);
    const w = await open(`${long.served.url}run/`);
    await settle(w, '#other');
    await w.page.waitForSelector('caption:text-is("Newest runs")');
    const name = (at: number) => long.pages.history.run[at]!.slice(8, 18);
    expect((await cells(w, 'Newest runs'))[1]![0]).toContain(name(299));
    for (let i = 0; i < 29; i++) await w.page.click('text=Next 10');
    expect((await cells(w, 'Newest runs')).at(-1)![0]).toContain(name(0));
    await w.clean();
    await w.close();
    await long.served.stop();
  });

  it('finds a run by ten digits of its commit', async () => {
    const w = await open(`${s.served.url}run/?id=${s.pages.history.sha.at(-1)!.slice(0, 10)}`);
    await settle(w, '#figures');
    expect(await w.page.textContent('.answer')).toContain(s.pages.history.sha.at(-1)!.slice(0, 10));
    await w.clean();
    await w.close();
  });
});
