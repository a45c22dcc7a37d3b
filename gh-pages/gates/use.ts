// Somebody looks around in the history: hovers over all commits, and chooses another server. How long each frame took
// meanwhile, and how much memory is left in use.
import type { Page } from 'playwright-core';
import type { View } from './view.ts';

export interface Used {
  frames: Record<'hover' | 'choice', number[]>;
  heapBytes: number;
}

const MOVES = 60;

export async function use(v: View): Promise<Used> {
  const { page } = v;
  const plot = (await page.locator('#chart svg.data').boundingBox())!;
  const hover = await framesOf(page, async () => {
    for (let i = 1; i < MOVES; i++)
      await page.mouse.move(plot.x + (plot.width * i) / MOVES, plot.y + plot.height / 2);
  });
  const choice = await framesOf(page, async () => {
    const values = await page.$$eval('select[name=sv] option', (all) =>
      all.map((o) => (o as HTMLOptionElement).value),
    );
    for (const value of values) {
      await page.selectOption('select[name=sv]', value);
      await page.waitForFunction(
        (name) => document.querySelector('#chart svg')!.ariaLabel!.includes(name),
        value,
      );
    }
  });
  await v.cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await v.cdp.send('Runtime.getHeapUsage');
  return { frames: { hover, choice }, heapBytes: usedSize };
}

/** Milliseconds between one frame and the next while something is done. */
async function framesOf(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    const next = (at: number) => {
      times.push(at);
      if (times[0] !== -1) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    Object.assign(globalThis, { frameTimes: times });
  });
  await act();
  const times = await page.evaluate(() => {
    const { frameTimes } = globalThis as unknown as { frameTimes: number[] };
    const all = [...frameTimes];
    frameTimes[0] = -1;
    return all;
  });
  return times.slice(1).map((t, i) => t - times[i]!);
}
