// A newcomer looks at runs on their own machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Leaderboards } from '../src/data/types.ts';
import type { Manifest } from '../src/data/form.ts';
import { isOwn } from '../src/data/runs.ts';
import { comparison, comparisonRowOf, rowsOf } from '../test/fixture/comparison.ts';
import { fixture } from '../test/fixture/files.ts';
import { withPages, type Pages } from '../test/fixture/pages.ts';
import { withRequests } from '../test/fixture/requests.ts';
import { cells, everyLook, oneLook, settle } from './looks.ts';
import { open } from './page.ts';
import { Served } from './server.ts';

const own = {
  run: 'local/0123456789',
  text: 'local run 2026-11-21T130043Z',
  time: '2020-11-21T13:00:43Z',
  quick: true,
  failed: ['rust-actix'],
};

/** A history of one shortened run of one's own, and no other: no series, no point. */
function short(): Pages {
  const f = withPages(
    fixture({
      seed: 5,
      commits: 1,
      newest: Date.parse(own.time) / 1000,
      scenarios: ['steady'],
      metrics: ['rate_per_s'],
    }),
  );
  Object.assign(f.manifest, { own: [own], series: {}, scenarios: [] });
  f.files.set('data/manifest.json', JSON.stringify(f.manifest));
  f.files.set(
    f.manifest.health,
    JSON.stringify({
      ...f.health,
      commit: null,
      run: null,
      headlines: [],
      open: [],
      missing: [],
      failed: [],
      warned: [],
    }),
  );
  f.files.set(
    f.manifest.leaderboard!,
    JSON.stringify({ ...f.leaderboard, run: own.run, quick: true, rankings: [] }),
  );
  return f;
}

describe('a shortened run of one\u2019s own', () => {
  let served: Served;
  beforeAll(async () => {
    served = await Served.start(short().files);
  });
  afterAll(() => served.stop());

  const said = async (path: string): Promise<string> => {
    const w = await open(served.url + path);
    await w.page.waitForFunction(() => !document.querySelector('.loading'));
    const text = (await w.page.locator('#frame, main').allInnerTexts()).join('\n');
    await w.clean();
    await w.close();
    return text;
  };

  it('leads from Health to its leaderboards, and says what it can tell', async () => {
    const text = await said('');
    for (const words of [
      '1 run of your own',
      'A run on your own machine',
      own.text,
      'without figures: rust-actix',
      'too short to rank servers',
      'without -quick',
    ])
      expect(text).toContain(words);
    for (const words of ['regression', 'measured commit', 'main', 'old (', 'cheapest', 'ranks'])
      expect(text).not.toContain(words);
    const w = await open(served.url);
    await w.page.click('.answer a');
    await settle(w, 'table');
    expect(await w.page.textContent('main')).toContain('A run on your own machine');
    expect(await w.page.textContent('.notice')).toContain('too short to rank');
    expect(await w.page.textContent('main')).not.toMatch(/times the first|tied|all servers are/);
    await w.close();
    await oneLook(served.url, '.answer');
  });

  it('is no trend and nothing to compare, and the pages say why', async () => {
    expect(await said('trend/')).toContain(
      'No run has a point yet. The runs so far were shortened (-quick) or failed.',
    );
    expect(await said('tworuns/')).toContain('there is nothing to compare');
  });
});

describe('a comparison of one\u2019s own', () => {
  const c = comparison();
  const row = comparisonRowOf(c, 'data/comparison.0123456789.json');
  const f = withPages(
    fixture({ seed: 5, commits: 30, raw: 1, newest: Date.parse(row.time) / 1000 }),
  );
  Object.assign(f.manifest, { comparisons: [row] });
  f.manifest.workloads[0]!.comparisons = [row];
  f.files.set('data/manifest.json', JSON.stringify(f.manifest));
  f.files.set(row.file, JSON.stringify(c));
  f.files.set(
    `runs/${row.run}.jsonl.gz`,
    f.files.get(`runs/${f.leaderboard.run}.leaderboard.jsonl.gz`)!,
  );
  const alone = new Map(fixture({ seed: 3, commits: 0, newest: 0 }).files);
  const empty = JSON.parse(alone.get('data/manifest.json') as string) as Manifest;
  empty.workloads[0]!.comparisons = [row];
  alone.set(
    'data/manifest.json',
    JSON.stringify({ ...empty, newest: row.time, comparisons: [row] }),
  );
  let served: Served, only: Served;
  beforeAll(async () => {
    [served, only] = await Promise.all([Served.start(f.files), Served.start(alone)]);
  });
  afterAll(() => Promise.all([served.stop(), only.stop()]));

  it('leads from Health to its page, which shows the verdict', async () => {
    for (const { url } of [only, served]) {
      const w = await open(url);
      await settle(w, '#comparisons');
      expect(await w.page.textContent('.verdicts')).toContain(row.verdicts[0]!.headline);
      expect(await w.page.textContent('#frame, .asof')).toContain('1 comparison of your own');
      expect(await w.page.textContent('main')).not.toContain('Nothing has been measured');
      await w.clean();
      await w.close();
    }
    const w = await open(served.url);
    await settle(w, '#comparisons');
    await w.page.click('a:has-text("Cells and rounds")');
    await settle(w, '.verdict table');
    expect(await w.page.textContent('.verdict')).toContain(row.verdicts[0]!.headline);
    expect((await cells(w, 'Cells of go-http')).slice(1)).toEqual(rowsOf(c));
    expect(await w.page.textContent('main')).toContain('Where it comes from');
    await w.clean();
    await w.close();
    await everyLook(`${served.url}run/?id=${row.run}`, '.verdict table');
  });

  it('has no place on the leaderboard', async () => {
    const w = await open(`${served.url}leaderboard/?run=${row.run}`);
    await settle(w, '.notice');
    expect(await w.page.textContent('.notice')).toContain(`${row.run} has no table here`);
    await w.close();
  });
});

describe('a comparison of one\u2019s own, of another workload', () => {
  const c = comparison();
  const row = comparisonRowOf(c, 'data/comparison.0123456789.json');
  const newest = Date.parse(row.time) / 1000;
  const f = withPages(fixture({ seed: 5, commits: 30, raw: 1, newest }));
  withRequests(f, newest, [row]);
  f.files.set(row.file, JSON.stringify(c));
  f.files.set(
    `runs/${row.run}.jsonl.gz`,
    f.files.get(`runs/${f.leaderboard.run}.leaderboard.jsonl.gz`)!,
  );
  let served: Served;
  beforeAll(async () => {
    served = await Served.start(f.files);
  });
  afterAll(() => served.stop());

  it('is not hidden behind it', async () => {
    const w = await open(served.url);
    await settle(w, '#comparisons');
    expect(await w.page.textContent('.asof')).toContain('1 comparison of your own');
    expect(await w.page.textContent('.verdicts')).toContain(row.verdicts[0]!.headline);
    expect(await w.page.textContent('.verdicts')).toContain('workload web');
    await w.page.click('a:has-text("Cells and rounds")');
    await settle(w, '.verdict table');
    expect(new URL(w.page.url()).searchParams.get('w')).toBe('web');
    expect(await w.page.textContent('.verdict')).toContain(row.verdicts[0]!.headline);
    await w.close();
  });
});

describe('an older run of all servers', () => {
  const f = withPages(
    fixture({ seed: 5, commits: 30, newest: Math.floor(Date.now() / 1000) - 3600 }),
  );
  const [first, older] = f.json<Leaderboards>(f.manifest.leaderboards).leaderboards;
  let served: Served;
  beforeAll(async () => {
    served = await Served.start(f.files);
  });
  afterAll(() => served.stop());

  it('has its own address, and leads to the newest', async () => {
    const w = await open(`${served.url}leaderboard/`);
    await settle(w, 'table');
    expect(await w.page.textContent('main')).toContain('The newest run of all servers');
    await w.page.click('summary:has-text("Other leaderboard runs")');
    await w.page.click(`a[href$="?run=${older!.run}"]`);
    await settle(w, 'table');
    expect(await w.page.textContent('main')).toMatch(
      /An older run of all servers, of [^.]*, 1 round\./,
    );
    await w.page.click('input[value=steady]');
    await w.page.waitForFunction(
      (search) => location.search === search,
      `?run=${older!.run}&sc=steady`,
    );
    expect(await w.page.locator('main a[aria-current]').getAttribute('href')).toContain(older!.run);
    await w.page.click('main a:has-text("the newest")');
    await settle(w, 'table');
    expect(await w.page.textContent('main')).toContain('The newest run of all servers');
    await w.clean();
    await w.close();
  });

  it('is the newest by its name as well, and named where there is none', async () => {
    expect(isOwn(first!.run)).toBe(false);
    const w = await open(`${served.url}leaderboard/?run=${first!.run}`);
    await settle(w, 'table');
    expect(await w.page.textContent('main')).toContain('The newest run of all servers');
    await w.page.goto(`${served.url}leaderboard/?run=2020/01/0123456789-1-1`);
    await settle(w, '.notice');
    expect(await w.page.textContent('.notice')).toContain(
      '2020/01/0123456789-1-1 has no table here',
    );
    await w.clean();
    await w.close();
  });
});
