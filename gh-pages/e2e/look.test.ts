// Takes pictures of pages with a simulated history, and prints them, for people to look at:
// PICTURES=DIRECTORY [PAGES='trend/ trend/?view=table'] npx vitest run --config
// e2e/vitest.config.ts look. SHOWN=1 leaves out hostile texts, and takes only the first window,
// as in the project's README.
import { mkdirSync } from 'node:fs';
import { it } from 'vitest';
import { fixture } from '../test/fixture/files.ts';
import { withPages } from '../test/fixture/pages.ts';
import { withRequests } from '../test/fixture/requests.ts';
import { open } from './page.ts';
import { Served } from './server.ts';
import { desktop, phone } from './sizes.ts';

const directory = process.env.PICTURES ?? '';
const shown = process.env.SHOWN !== undefined;

it('takes pictures', async () => {
  mkdirSync(directory, { recursive: true });
  const newest = Math.floor(Date.now() / 1000) - 7200;
  const pages = withPages(
    fixture({
      seed: 1,
      commits: Number(process.env.COMMITS ?? 1300),
      hostile: !shown,
      raw: 20,
      newest,
    }),
  );
  const served = await Served.start(withRequests(pages, newest).files);
  for (const page of (process.env.PAGES ?? 'trend/').split(' ')) {
    for (const [name, size, dark] of [
      ['light', desktop, false],
      ['dark', desktop, true],
      ['phone', phone, false],
    ] as const) {
      const tab = await open(served.url + page, { dark, size });
      await tab.page.waitForTimeout(2500);
      await tab.page.screenshot({
        path: `${directory}/${page.replace(/\W+/g, '-')}${name}.png`,
        fullPage: !shown,
      });
      if (name === 'dark')
        await tab.page.pdf({
          path: `${directory}/${page.replace(/\W+/g, '-')}print.pdf`,
          format: 'A4',
          preferCSSPageSize: true,
        });
      await tab.clean();
      await tab.close();
    }
  }
  await served.stop();
}, 600_000);
