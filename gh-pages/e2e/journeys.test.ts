// The main tasks of readers, from the first page to the answer, without a pointer. Each step
// shows the focus, and screen readers hear what matters.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Hands } from './hands.ts';
import { cells, site, type Site } from './looks.ts';

let s: Site;
beforeAll(async () => {
  s = await site({}, 120, 20);
});
afterAll(() => s.served.stop());

const sha = (at: number) => s.pages.history.sha[at]!.slice(0, 10);
const step = 107; // where go-gin got worse by 6 %
const drawn = 'figure[data-state=drawn] .u-over';
const at = (path: string, ready: string) => Hands.at(s.served.url + path, ready);
const column = async (h: Hands, caption: string, from = 1) =>
  (await cells(h.w, caption)).slice(from).map((row) => row[0]!);

it('Health: from the open regression to the trend at it, its details and its run', async () => {
  const h = await at('', '#verdicts');
  expect(await h.enter('ul[aria-label="Open regressions"] a[href*="trend/"]', drawn)).toBe(
    `link in the trend of go-gin at ${sha(step)}`,
  );
  expect(await h.to('.plot')).toMatch(
    new RegExp(`^application req/s of stress-100\\. go-gin got worse: −6\\.0 % .* at ${sha(step)}`),
  );
  await h.press('ArrowLeft');
  await h.says(new RegExp(`^go-gin, commit ${sha(step - 1)}, .*\\sreq/s`));
  await h.press('PageDown');
  await h.says(new RegExp(`^go-gin, commit ${sha(step)}, .*event: worse by 6\\.0`));
  await h.press('Enter');
  expect(await h.heard()).toMatch(new RegExp(`^region Commit ${sha(step)}:`));
  expect(await h.text('.card')).toContain('▼ go-gin worse');
  expect(await h.enter('.detail a[href*="run/"]', '#figures')).toBe('link All of this run');
  expect(await h.text('.answer')).toContain(sha(step));
  await h.done();
});

it('Health: from the picture of the newest leaderboard to its table', async () => {
  const h = await at('', '#standing');
  expect(await h.enter('.standing a', 'table')).toMatch(/^link steady$/);
  await h.address('?sc=steady');
  expect((await column(h, 'All servers in steady')).length).toBeGreaterThan(1);
  await h.done();
});

it('Trend: another metric, one server, closer, and as a table', async () => {
  const h = await at('trend/', drawn);
  expect(await h.to('.servers li:nth-child(5) .link')).toBe('button only go-http');
  await h.press('Enter');
  await h.says(/^go-http got better: \+5\.0/);
  await h.to('.field select');
  await h.w.page.keyboard.type('TTFT p95 m'); // typing finds an option, as in any list
  expect(await h.heard()).toMatch(/^combobox Metric TTFT p95 ms/);
  await h.says(/^No event on TTFT p95 ms of stress-100 in these 120 commits\./);
  await h.to('.plot');
  await h.press('+');
  await h.says(/^61 commits in view, 60 to 120 of 120\.$/);
  await h.to('[aria-label="Earlier"]', 'Shift+Tab');
  await h.press('Enter');
  await h.says(/^61 commits in view, 29 to 89 of 120\.$/);
  await h.press('Enter', 'Enter');
  // at the begin it has nothing to do, and keeps the focus
  expect(await h.heard()).toBe('button Earlier disabled=true');
  await h.to('[aria-label="Shown as"] button:last-child');
  await h.press('Enter');
  expect(await h.heard()).toBe('button Show as table pressed=true');
  expect(await h.to('figure .scroll')).toMatch(
    /^region TTFT p95 ms of stress-100, 61 commits, newest first/,
  );
  expect(await column(h, 'TTFT p95 ms of stress-100')).toEqual(
    Array.from({ length: 25 }, (_, i) => sha(60 - i)),
  );
  await h.to('.pager button:last-child');
  await h.press('Enter');
  await h.says(/^26 to 50 of 61$/);
  await h.done();
});

it('Leaderboard: another scenario, by p95, and from a row to its run', async () => {
  const h = await at('leaderboard/', 'table');
  expect(await h.to('input[name=board]')).toMatch(/^radio stress-200 .*checked=true/);
  await h.press('ArrowLeft');
  await h.address('?sc=stress-100');
  expect(await h.heard()).toMatch(/^radio stress-100 .*checked=true/);
  expect(await h.to('th:has-text("p95 ms") button')).toBe('button p95 ms');
  await h.press('Enter'); // the quickest first
  await h.address('?sc=stress-100&sort=stream_p95_ms');
  await h.says(/^Sorted by p95 ms, ascending\.$/);
  const up = await column(h, 'All servers in stress-100');
  await h.press('Enter');
  await h.says(/^Sorted by p95 ms, descending\.$/);
  const down = await column(h, 'All servers in stress-100');
  // who failed has no figure, and stays below
  expect([up.at(-1), down.at(-1)].join()).toMatch(/^rust-actix .*,rust-actix /);
  expect(up.slice(0, -1)).toEqual(down.slice(0, -1).toReversed());
  expect(await h.enter('tbody tr:nth-child(2) a', '#figures')).toMatch(/^link \S+$/);
  await h.hears('heading Figures of each scenario');
  expect(await h.text('tr[aria-current] th')).toContain(
    new URL(h.w.page.url()).searchParams.get('sv')!,
  );
  await h.done();
});

it('Two runs: two commits by hash, sorted by difference', async () => {
  const h = await at('tworuns/', 'table');
  await h.to('.choose form input');
  await h.press('Control+A');
  await h.w.page.keyboard.type('nothing\n');
  await h.says(/^nothing: no such commit was measured/);
  await h.press('Control+A');
  await h.w.page.keyboard.type(`${sha(step - 1).slice(0, 7)}\n`);
  await h.address(`?a=${sha(step - 1)}`);
  await h.ready('table');
  await h.to('.choose form + form input');
  await h.press('Control+A');
  await h.w.page.keyboard.type(`${sha(step).slice(0, 7)}\n`);
  await h.address(`?a=${sha(step - 1)}&b=${sha(step)}`);
  await h.ready('table');
  const rows = await cells(h.w, `${sha(step)} beside`);
  const gin = rows.find((row) => row[0] === 'go-gin' && row[1]!.startsWith('req/s'))!;
  expect([gin[4], gin[5]]).toEqual([expect.stringMatching(/^\u2212/), expect.stringMatching(/^±/)]);
  expect(await h.to('th:has-text("difference") button')).toBe('button difference');
  await h.press('Enter');
  await h.address(`?a=${sha(step - 1)}&b=${sha(step)}&sort=-change`);
  await h.to('button:text-is("Swap")', 'Shift+Tab');
  await h.press('Enter');
  await h.address(`?a=${sha(step)}&b=${sha(step - 1)}&sort=-change`);
  await h.ready('table');
  expect(await h.heard()).toBe('button Swap');
  await h.done();
});

it('Regressions: all of them, to the trend and back, and the file that accepts one', async () => {
  const h = await at('regressions/', '.events');
  const { id } = s.pages.json<{ events: { id: string; verdict: string }[] }>(
    s.pages.manifest.events,
  ).events[0]!;
  await h.enter('.event a[href*="trend/"]', drawn);
  expect(await h.text('#detail-title')).toContain(sha(step));
  await h.enter('.card a[href*="regressions/"]', '.events');
  // a link to an event leads to it
  await h.w.page.waitForFunction((event) => document.activeElement?.id === event, id);
  expect(await h.to('.event summary')).toMatch(/Accept it .*expanded=false/);
  await h.press('Enter');
  await h.w.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  expect(await h.to('.event details button')).toBe('button Copy the file');
  await h.press('Enter');
  await h.says(/^copied$/);
  expect(JSON.parse(await h.w.page.evaluate(() => navigator.clipboard.readText()))).toMatchObject({
    server: 'go-gin',
    scenario: 'stress-100',
    metric: 'rate_per_s',
    since: s.pages.history.sha[step],
    reason: '',
    by: '',
  });
  await h.to('input[name=show]', 'Shift+Tab');
  await h.press('ArrowDown', 'ArrowDown');
  await h.address(`?id=${id}&show=all`);
  expect(await h.w.page.locator('.event').count()).toBe(4);
  await h.done();
});

it('Leaderboard: as scores, sorted by one, and as memory', async () => {
  const h = await at('leaderboard/', 'table');
  expect(await h.to('input[name=view]')).toMatch(/^radio figures .*checked=true/);
  await h.press('ArrowRight', 'ArrowRight');
  await h.address('?view=scores');
  await h.ready('.radar');
  expect(await h.heard()).toMatch(/^radio scores .*checked=true/);
  const rows = await cells(h.w, 'Scores, 100 is the best');
  expect(await h.w.page.locator('.radar').count()).toBe(rows.length - 1);
  await h.to('th:nth-child(2) button');
  await h.press('Enter');
  await h.address('?view=scores&sort=-rate_per_s');
  await h.says(/^Sorted by req\/s, descending\.$/);
  expect((await cells(h.w, 'Scores, 100 is the best'))[1]![1]).toMatch(/^100/);
  await h.to('input[name=view]', 'Shift+Tab');
  await h.press('ArrowRight');
  await h.address('?view=memory');
  await h.ready('caption:text-is("Memory in stress-200")');
  await h.to('input[name=board]');
  await h.press('ArrowLeft');
  await h.address('?view=memory&sc=stress-100');
  await h.to('th:nth-child(2) button');
  await h.press('Enter');
  await h.says(/^Sorted by peak RSS MB, ascending\.$/);
  const peaks = (await cells(h.w, 'Memory in'))
    .slice(1)
    .map((row) => parseFloat(row[1]!))
    .filter((v) => !Number.isNaN(v));
  expect(peaks.length).toBeGreaterThan(3);
  expect(peaks).toEqual(peaks.toSorted((x, y) => x - y));
  await h.done();
});

it('Trend: how a chart is read, and a word of it', async () => {
  const h = await at('trend/', drawn);
  expect(await h.enter('figcaption a', '#proven')).toBe('link How to read this');
  await h.hears('heading What a point of a trend is');
  expect(await h.to('.contents a[href="#words"]', 'Shift+Tab')).toBe('link Words');
  await h.press('Enter');
  await h.w.page.waitForFunction(() => {
    const b = document.querySelector('#words')!.getBoundingClientRect();
    return location.hash === '#words' && b.top >= -1 && b.top < innerHeight;
  });
  await h.done();
});

it('a theme is chosen, and kept on the next page', async () => {
  const h = await at('', '#verdicts');
  const dark = () =>
    h.w.page.evaluate(() => getComputedStyle(document.body).backgroundColor === 'rgb(13, 17, 23)');
  expect(await h.to('.theme select')).toMatch(/^combobox Theme auto/);
  expect(await dark()).toBe(false);
  await h.w.page.keyboard.type('d');
  expect(await h.heard()).toMatch(/^combobox Theme dark/);
  expect(await dark()).toBe(true);
  expect(await h.to('nav[aria-label=Pages] a[href*="method/"]', 'Shift+Tab')).toBe('link Method');
  await h.press('Enter');
  await h.w.page.waitForURL(/method/);
  await h.ready('#proven');
  expect(await dark()).toBe(true);
  await h.done();
});

it('past the navigation to the content, and on to the newest run', async () => {
  const h = await at('', '#verdicts');
  await h.press('Tab');
  expect(await h.heard()).toBe('link Skip to the content');
  await h.press('Enter', 'Tab');
  expect(
    await h.w.page.evaluate(() => document.querySelector('main')!.contains(document.activeElement)),
  ).toBe(true);
  expect(await h.enter('a[href*="run/?id="]', '#figures')).toBe('link Its run');
  expect(new URL(h.w.page.url()).searchParams.get('id')).toBe(s.pages.health.run);
  await h.done();
});

it('a file that cannot be read is told, asked for again, and the focus stays', async () => {
  s.served.faults.push({ path: /\.leaderboard\.jsonl/, fault: 'truncated' });
  const h = await at(`run/?id=${s.pages.leaderboard.run}&of=leaderboard`, '[role=alert]');
  await h.says(/\.leaderboard\.jsonl\.gz could not be read: .* damaged, or was cut off\./);
  expect(await h.to('[role=alert] button')).toBe('button Retry');
  s.served.faults.length = 0;
  await h.press('Enter');
  await h.ready('#figures');
  // not the top of the document
  expect(await h.w.page.evaluate(() => document.activeElement?.id)).toBe('page');
  await h.press('Tab');
  expect(
    await h.w.page.evaluate(() => document.querySelector('main')!.contains(document.activeElement)),
  ).toBe(true);
  await h.done();
});

it('a link leads to what its sender saw, and Back and Forward through what was chosen', async () => {
  const link = `?sc=steady&m=server_rss_peak_bytes&sv=go-gin,go-http&last=50&sel=${sha(100)}`;
  const h = await at(`trend/${link}`, drawn);
  const title = () => h.text('h1');
  expect(await title()).toBe('peak RSS MB, steady');
  expect(await h.text('#detail-title')).toContain(sha(100));
  expect(await h.to('input[name=sc]')).toMatch(/^radio steady .*checked=true/);
  await h.press('ArrowDown');
  await h.says(/^No event on peak RSS MB of stress-10 in these 50 commits\./);
  await h.to('.field select');
  await h.w.page.keyboard.type('p50');
  await h.w.page.waitForFunction(
    () => document.querySelector('h1')!.textContent === 'p50 ms, stress-10',
  );
  for (const [way, want] of [
    ['goBack', 'peak RSS MB, stress-10'],
    ['goBack', 'peak RSS MB, steady'],
    ['goForward', 'peak RSS MB, stress-10'],
  ] as const) {
    await h.w.page[way]();
    await h.w.page.waitForFunction(
      (text) => document.querySelector('h1')!.textContent === text,
      want,
    );
  }
  await h.w.page.goBack();
  await h.address(link);
  expect(await h.w.page.isChecked('input[name=sc] >> nth=1')).toBe(true);
  await h.done();
});

it('Run: second by second', async () => {
  const h = await at(`run/?id=${s.pages.leaderboard.run}&of=leaderboard&sc=stress`, '.panels');
  expect(await h.to('input[type=range]')).toMatch(/^slider /);
  await h.press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await h.w.page.waitForFunction(() => new URLSearchParams(location.search).get('t') === '5');
  expect(await h.text('output')).toMatch(/^5 of \d+: stress-10, the slices? of /);
  await h.to('.seconds summary');
  await h.press('Enter');
  const t = s.pages.details.k6_runs.find((l) => l.scenario === 'stress')!.timelines[0]!;
  expect(await h.text('.seconds tbody tr:has(th:text-is("k6")) td')).toBe(
    `${t.cpu_pct[4]} %`.replace(/^(\d\d) /, '$1.0 ').replace(/^(\d) /, '$1.00 '),
  );
  await h.done();
});
