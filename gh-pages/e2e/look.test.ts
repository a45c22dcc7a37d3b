// Takes pictures of pages with a simulated history, and prints them, for people to look at:
// PICTURES=DIRECTORY [PAGES='history/ web/'] npx vitest run --config e2e/vitest.config.ts look.
import { mkdirSync } from 'node:fs';
import { inject, it } from 'vitest';
import { open } from './page.ts';
import { Served } from './server.ts';
import { desktop, phone } from './sizes.ts';

const directory = process.env.PICTURES ?? '';
const usual = 'index.html history/ comparisons/ web/comparisons/ method/ run/ reports/run.html';

it('takes pictures', async () => {
  mkdirSync(directory, { recursive: true });
  const served = await Served.start(inject('site'));
  for (const page of (process.env.PAGES ?? usual).split(' '))
    for (const size of [desktop, phone])
      for (const dark of [false, true]) {
        const tab = await open(served.url + page, { dark, size });
        await tab.page.waitForTimeout(1000);
        const name = `${page.replace(/\W+/g, '-')}-${size.width}${dark ? '-dark' : ''}`;
        await tab.page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
        if (size === desktop && !dark)
          await tab.page.pdf({ path: `${directory}/${name}.pdf`, format: 'A4' });
        await tab.close();
      }
  await served.stop();
}, 600_000);
