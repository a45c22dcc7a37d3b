// Somebody looks around in the whole history: hovers, zooms, pans. How long each
// frame took meanwhile, and how much memory is left in use.
import type { Page } from 'playwright-core';
import type { View } from './view.ts';

export interface Used {
  frames: Record<string, number[]>;
  heapBytes: number;
}

const MOVES = 60;

/** v shows the whole history, as the chart. */
export async function use(v: View): Promise<Used> {
  const { page } = v;
  const plot = (await page.locator('.u-over').boundingBox())!;
  const across = async (from: number, to: number, y: number) => {
    for (let i = 1; i <= MOVES; i++) await page.mouse.move(from + ((to - from) * i) / MOVES, y);
  };
  const left = plot.x + 5,
    right = plot.x + plot.width - 5,
    middle = plot.y + plot.height / 2;
  const drag = async (from: number, to: number, y: number) => {
    await page.mouse.move(from, y);
    await page.mouse.down();
    await across(from, to, y);
    await page.mouse.up();
  };
  const frames: Used['frames'] = {};
  const during = async (what: string, act: () => Promise<void>) => {
    frames[what] = await framesOf(page, act);
  };
  await during('hover, whole history', () => across(left, right, middle));
  await during('zoom by dragging', () => drag(left + 0.8 * plot.width, right, middle));
  await page.waitForSelector('figure[data-state=drawn]');
  await during('hover, a fifth', () => across(left, right, middle));
  const seen = (await page.locator('.strip .seen').boundingBox())!;
  const strip = (await page.locator('.strip .whole').boundingBox())!;
  await during('pan over all commits', () =>
    drag(seen.x + seen.width / 2, strip.x + seen.width / 2, seen.y + seen.height / 2),
  );
  await page.waitForSelector('figure[data-state=drawn]');
  await during('zoom by keys', async () => {
    await page.focus('.plot');
    for (const key of ['+', '+', '+', '-', '-', '-', '-', '-', '-', '+', '+', '0'])
      await page.keyboard.press(key);
  });
  await v.cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await v.cdp.send('Runtime.getHeapUsage');
  return { frames, heapBytes: usedSize };
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
