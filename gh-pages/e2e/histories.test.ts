// Histories as they should not be, and each page's words for it.
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Commits, Runs } from '../src/data/form.ts';
import { fixture } from '../test/fixture/files.ts';
import { withPages } from '../test/fixture/pages.ts';
import { cells, emptySite, settle, site, type Site } from './looks.ts';
import { open, violations, type Watched } from './page.ts';
import { Served } from './server.ts';

/** Goes through pages in one tab and finds words in each. */
async function reads(
  served: Served,
  pages: (readonly [path: string, words: string])[],
  look?: (w: Watched) => Promise<void>,
): Promise<void> {
  const w = await open(served.url);
  for (const [path, words] of pages) {
    await w.page.goto(served.url + path);
    await w.page
      .waitForFunction((text) => document.body.innerText.replace(/\s+/g, ' ').includes(text), words)
      .catch(async () =>
        expect((await w.page.innerText('body')).replace(/\s+/g, ' '), path).toContain(words),
      );
    await look?.(w);
  }
  await w.clean();
  await w.close();
}

it('nothing measured yet: each page says so, and what will be there', async () => {
  const served = await emptySite();
  await reads(
    served,
    [
      ['', 'Nothing has been measured yet. The first run on main fills this page.'],
      [
        'trend/',
        'No run has been published yet. The first run on main makes the first point; a trend ' +
          'needs two.',
      ],
      ['leaderboard/', 'No run has loaded all servers in the same minutes yet.'],
      ['run/', 'Nothing has been measured yet, so there is no run to show.'],
      ['tworuns/', 'No run has been published yet, so there is nothing to compare.'],
      ['regressions/', 'No regression is open on main.'],
      ['method/', 'Not measured yet on this machine.'],
    ],
    async (w) => {
      expect(await w.page.textContent('.asof')).toBe('No run has been published yet.');
      expect(await violations(w.page)).toEqual([]);
    },
  );
  await served.stop();
});

it('one run: figures, and no word of a trend, a change or a comparison', async () => {
  const pages = withPages(
    fixture({ seed: 3, commits: 1, newest: Math.floor(Date.now() / 1000) - 3600 }),
  );
  const served = await Served.start(pages.files);
  await reads(served, [
    ['', '● no earlier figure to compare with'],
    [
      'trend/',
      'No event on req/s of stress-100 in this commit. One run makes no trend. Its ' +
        'figures are in the table.',
    ],
    ['run/', 'The first run, on Intel Xeon'],
    [
      'tworuns/',
      'One commit has been measured. The next one makes two runs. The Leaderboard compares ' +
        'the servers of one run.',
    ],
    ['regressions/', 'No event has been found yet.'],
  ]);
  await served.stop();
});

it('commits that were not measured whole: a comparison says which and why, and that no file failed', async () => {
  const pages = withPages(
    fixture({ seed: 3, commits: 4, newest: Math.floor(Date.now() / 1000) - 3600 }),
  );
  const sha = pages.history.sha.map((x) => x.slice(0, 10));
  const path = pages.manifest.commits.file;
  const commits = pages.json<Commits>(path),
    runs = pages.json<Runs>(pages.manifest.runs);
  const only = (whole: number[]) => {
    pages.files.set(
      path,
      JSON.stringify({
        ...commits,
        run: commits.run.map((run, i) => (whole.includes(i) ? run : null)),
        quick: commits.sha.map((_, i) => (whole.includes(i) ? 0 : 1)),
      }),
    );
  };
  // The second has a run of all servers together, and none of its own.
  pages.files.set(
    pages.manifest.runs,
    JSON.stringify({
      ...runs,
      runs: runs.runs.map((r) =>
        r.run === commits.run[1] ? { ...r, trend_runs: false, leaderboard: true } : r,
      ),
    }),
  );
  pages.files.delete(`runs/${commits.run[1]!}.jsonl.gz`);
  const served = await Served.start(pages.files);
  const state = async (w: Watched) => {
    expect(await w.page.locator('main [role=alert]').count()).toBe(0);
  };
  only([3]);
  await reads(
    served,
    [
      ['tworuns/', 'There are no two runs yet. Shortened runs (-quick) do not count.'],
      [
        `tworuns/?a=${sha[0]!}`,
        `Commit ${sha[0]!} has only shortened runs (-quick), which do not count.`,
      ],
      [`tworuns/?a=${sha[0]!}&b=${sha[2]!}`, `Commit ${sha[2]!} has only shortened runs (-quick)`],
      [`tworuns/?b=${sha[3]!}`, `No commit before ${sha[3]!} has a complete run. Choose A.`],
      ['tworuns/?a=ffffffffff', 'Commit ffffffffff was not measured: it has no published run.'],
    ],
    state,
  );
  only([1, 3]);
  await reads(
    served,
    [
      [
        'tworuns/',
        `Commit ${sha[1]!} has only a leaderboard run. Its ranks are on the Leaderboard.`,
      ],
    ],
    state,
  );
  await served.stop();
});

it('a week without a run: no page minds, since main is measured weekly', async () => {
  const served = await Served.start(
    withPages(fixture({ seed: 4, commits: 30, newest: Date.now() / 1000 - 7.5 * 86400 })).files,
  );
  const w = await open(`${served.url}trend/`);
  await w.page.waitForSelector('figure[data-state=drawn]');
  expect(await w.page.textContent('body')).not.toContain('are not measured');
  await w.close();
  await served.stop();
});

it('an old newest run: each page says how old', async () => {
  const served = await Served.start(
    withPages(fixture({ seed: 4, commits: 30, newest: Date.UTC(2020, 0, 1, 12) / 1000 })).files,
  );
  await reads(
    served,
    ['', 'trend/', 'leaderboard/', 'tworuns/'].map(
      (path) => [path, 'old (2020-01-01): newer commits of main are not measured.'] as const,
    ),
  );
  await served.stop();
});

describe('a history of', () => {
  let s: Site;
  let gone: string, failed: string, before: string; // servers, and a commit under an older name
  beforeAll(async () => {
    s = await site({}, 120, 4);
    const { manifest, history } = s.pages;
    gone = manifest.servers.find((x) => x.last < manifest.commits.count - 1)!.name;
    failed = s.pages.health.failed![0]!.server;
    // A run that was written before bun-serve was renamed.
    before = history.sha[117]!.slice(0, 10);
    const path = `runs/${history.run[117]!}.jsonl.gz`;
    s.pages.files.set(
      path,
      gzipSync(
        gunzipSync(s.pages.files.get(path) as Uint8Array)
          .toString()
          .replaceAll('"bun-http"', '"bun-serve"'),
      ),
    );
  });
  afterAll(() => s.served.stop());

  it('a server that failed in the newest run: who and why, and no figure', async () => {
    await reads(s.served, [
      [
        '',
        `${failed} has no figures in ${s.pages.manifest.scenarios.join(', ')}: it exited with 137 after 2 s`,
      ],
      ['trend/', `${failed} gave no figure in the newest run: its page says why.`],
      [
        'leaderboard/',
        `${failed} has no figures: it exited with 137 after 2 s: the kernel ended it, since memory was short`,
      ],
      ['run/', `${failed} has none: it exited with 137 after 2 s.`],
      ['leaderboard/?view=memory', `${failed}: failed.`],
      ['leaderboard/?view=scores', `${failed} has no figures in stress-200`],
    ]);
    const w = await open(`${s.served.url}tworuns/`);
    await settle(w, 'table');
    expect(
      (await cells(w, s.pages.history.sha[119]!.slice(0, 10)))
        .filter((row) => row[0] === failed)
        .map((row) => row[4]),
    ).toContain('no figures: it exited with 137 after 2 s');
    await w.close();
  });

  it('a server that is gone: since when, and its past stays', async () => {
    const last = s.pages.manifest.servers.find((x) => x.name === gone)!.last;
    await reads(s.served, [
      ['', `not measured for ${119 - last} commits`],
      ['trend/', `${gone} is not in the newest run: the last was ${119 - last} commits earlier.`],
      ['trend/', '† not in the newest run; its last figure'],
    ]);
    const w = await open(`${s.served.url}leaderboard/`);
    await settle(w, 'table');
    expect((await cells(w, 'All servers')).some((row) => row[0]!.includes(gone))).toBe(false);
    await w.close();
  });

  it('a server under a new name: a link by the old one finds it, and its runs are one line', async () => {
    const said = 'Renamed since the address was made: bun-serve is bun-http now.';
    await reads(s.served, [
      ['trend/?sv=bun-serve,go-http&on=bun-serve', said],
      ['trend/', 'bun-http was bun-serve; one line has all its figures'],
      ['regressions/?sv=bun-serve', said],
    ]);
    const w = await open(`${s.served.url}tworuns/?a=${before}`);
    await settle(w, 'table');
    const rows = (
      await cells(w, `${s.pages.history.sha[119]!.slice(0, 10)} beside ${before}`)
    ).filter((row) => /^bun-(http|serve)$/.test(row[0]!));
    expect(new Set(rows.map((row) => row[0]))).toEqual(new Set(['bun-http']));
    expect(
      rows.filter((row) => !row.slice(2, 4).includes('not measured')).length,
      'figures in both',
    ).toBeGreaterThan(3);
    await w.clean();
    await w.close();
  });

  it('files of which some do not come: what is there stays, and what is not is named', async () => {
    s.served.faults.push({ path: /^data\/(s|events)/, fault: 'offline' });
    await reads(s.served, [
      ['', 'data/events'],
      ['', "Every server's newest figures"],
      ['trend/', 'data/s/stress-100/rate_per_s'],
      ['trend/', 'Events cannot be shown'],
      ['regressions/', 'Is there a connection? Retry'],
      ['tworuns/', 'beside'],
    ]);
    s.served.faults.length = 0;
  });
});
