// No line crosses a change of machine or rig. The test reads the canvas, since the data behind it
// may be right all the same.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { light } from '../src/chart/palette.ts';
import { fixture } from '../test/fixture/files.ts';
import { open } from './page.ts';
import { Served } from './server.ts';

const f = fixture({
  seed: 1,
  commits: 1300,
  scenarios: ['stress-100'],
  metrics: ['rate_per_s'],
  raw: 1,
});
const slot = f.manifest.servers.findIndex((s) => s.name === 'go-gin');
const cut = f.manifest.cuts[1]![0];
const sha = (at: number) => f.history.sha[at]!.slice(0, 10);
let served: Served;
beforeAll(async () => {
  served = await Served.start(f.files);
});
afterAll(() => served.stop());

type Plot = {
  data: number[][];
  valToPos: (v: number, scale: string, canvas: boolean) => number;
  ctx: CanvasRenderingContext2D;
};

/** Pixels of the server's colour between the two levels at the cut, and on the line before it. */
const pixels = (page: Page, at: number, colour: string) =>
  page.evaluate(
    ([place, hex]) => {
      const { data, valToPos, ctx } = (
        document.querySelector('.canvas') as unknown as { plot: Plot }
      ).plot;
      const rgb = [1, 3, 5].map((i) => parseInt((hex as string).slice(i, i + 2), 16));
      const [xs, , line] = data as [number[], number[], number[]];
      const after = xs.findIndex((x) => x >= (place as number)),
        before = after - 1;
      const x = (i: number) => valToPos(xs[i]!, 'x', true),
        y = (i: number) => valToPos(line[i]!, 'y', true);
      const count = (left: number, top: number, right: number, bottom: number) => {
        const seen = ctx.getImageData(
          left,
          top,
          Math.ceil(right - left),
          Math.ceil(bottom - top),
        ).data;
        let n = 0;
        for (let i = 0; i < seen.length; i += 4)
          if (Math.hypot(...rgb.map((v, k) => v - seen[i + k]!)) < 60) n++;
        return n;
      };
      const high = Math.min(y(before), y(after)),
        tall = Math.abs(y(before) - y(after));
      return {
        tall,
        between: count(x(before) - 6, high + 0.3 * tall, x(after) + 6, high + 0.7 * tall),
        on: count(
          x(before - 9),
          Math.min(...[9, 1].map((i) => y(before - i))) - 12,
          x(before),
          Math.max(...[9, 1].map((i) => y(before - i))) + 12,
        ),
      };
    },
    [at, colour] as const,
  );

it.each([
  ['a few commits', `from=${sha(cut - 40)}&to=${sha(cut + 40)}`],
  ['hundreds', `from=${sha(cut - 300)}&to=${sha(cut + 300)}`],
  ['hundreds, as they were measured', `from=${sha(cut - 300)}&to=${sha(cut + 300)}&smooth=0`],
  ['by date', `from=${sha(cut - 300)}&to=${sha(cut + 300)}&x=date`],
  ['a chart each', `from=${sha(cut - 100)}&to=${sha(cut + 100)}&view=split`],
  ['all', 'last=all'],
])('no line goes over a cut: %s', async (_, query) => {
  const { page, clean, close } = await open(`${served.url}trend/?sv=go-gin&band=none&${query}`);
  await page.waitForSelector('figure[data-state=drawn] .u-over');
  const byDate = query.includes('x=date');
  const got = await pixels(page, byDate ? f.history.time[cut]! : cut, light[slot]!);
  expect(got.tall).toBeGreaterThan(40);
  expect(got.on).toBeGreaterThan(5);
  expect(got.between).toBe(0);
  // Nor in the strip, whose paths are M, L and h0 alone.
  const share = cut / f.manifest.commits.count;
  const crossing = await page.$$eval(
    '.strip path[stroke^="#"]',
    (all, at) =>
      all.flatMap((p) =>
        p
          .getAttribute('d')!
          .split('M')
          .filter((part) => {
            const x = part.split('L').map(parseFloat);
            return x[0]! < at && x.at(-1)! > at;
          }),
      ),
    1000 * share,
  );
  expect(crossing).toEqual([]);
  expect(await page.$$eval('.strip path', (all) => all.length)).toBeGreaterThan(1);
  await clean();
  await close();
});

it('says at a cut what is another', async () => {
  const { page, clean, close } = await open(
    `${served.url}trend/?sv=go-gin&from=${sha(cut - 30)}&to=${sha(cut + 30)}&y=relative`,
  );
  await page.waitForSelector('figure[data-state=drawn] .u-over');
  const words = 'kernel 6.1.0 → 6.1.1, another rig';
  expect(await page.textContent('.answer')).toContain(
    `Commits before ${cut + 1} of 1,300 cannot be compared with those after: ${words}.`,
  );
  expect(await page.getAttribute('.lane .epoch', 'title')).toBe(words);
  expect(await page.textContent('figcaption')).toContain(
    'After a cut, figures are in per cent of the first one after it.',
  );
  await page.click('text=Show as table');
  await page.click('text=Next 25');
  expect(await page.textContent(`tr:has(button:text-is("${sha(cut)}"))`)).toContain(
    `not comparable with the commits before: ${words}`,
  );
  await clean();
  await close();
});
