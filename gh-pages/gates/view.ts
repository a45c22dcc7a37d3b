// A page of the site in a fresh browser: its bytes over the wire, the time until it is drawn,
// and its errors.
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { desktop } from '../e2e/sizes.ts';

export interface View {
  page: Page;
  context: BrowserContext;
  cdp: CDPSession;
  bytes: number; // bodies as sent, and heads
  scriptBytes: number;
  requests: number;
  drawn_ms: number; // since the page was asked for
  wrong: string[];
}

/** A phone's network and processor, as Lighthouse has them. */
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 750e3 / 8,
};
const SLOWER_CPU = 4;
const QUIET_MS = 500; // without a request: then all has come
const MOST_MS = 60_000;

/** drawn: what is on the page when it is. The caller closes the context. */
export async function view(
  browser: Browser,
  url: string,
  drawn: string,
  slow: boolean,
): Promise<View> {
  const context = await browser.newContext({ viewport: desktop });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const v: View = {
    page,
    context,
    cdp,
    bytes: 0,
    scriptBytes: 0,
    requests: 0,
    drawn_ms: NaN,
    wrong: [],
  };
  const origin = new URL(url).origin;
  const type = new Map<string, string>(),
    open = new Set<string>();
  let last = 0;
  await cdp.send('Network.enable');
  cdp.on('Network.requestWillBeSent', (e) => {
    if (/^(data|blob):/.test(e.request.url)) return;
    if (!e.request.url.startsWith(origin)) v.wrong.push(`asked ${e.request.url}`);
    v.requests++;
    open.add(e.requestId);
    type.set(e.requestId, e.type ?? '');
  });
  const ended = (id: string) => {
    open.delete(id);
    last = performance.now();
  };
  cdp.on('Network.loadingFinished', (e) => {
    ended(e.requestId);
    v.bytes += e.encodedDataLength;
    if (type.get(e.requestId) === 'Script') v.scriptBytes += e.encodedDataLength;
  });
  cdp.on('Network.loadingFailed', (e) => {
    ended(e.requestId);
    v.wrong.push(`${e.errorText} ${e.blockedReason ?? ''}`);
  });
  page.on('pageerror', (e) => v.wrong.push(`uncaught: ${e.message}`));
  page.on('console', (m) => {
    if (m.type() === 'error' || /Content Security Policy/i.test(m.text())) v.wrong.push(m.text());
  });
  // Two frames later it has been painted.
  await page.addInitScript((selector) => {
    const look = () => {
      if (!document.querySelector(selector)) return void requestAnimationFrame(look);
      requestAnimationFrame(() =>
        requestAnimationFrame(() => Object.assign(globalThis, { drawn_ms: performance.now() })),
      );
    };
    requestAnimationFrame(look);
  }, drawn);
  if (slow) {
    await cdp.send('Network.emulateNetworkConditions', SLOW);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU });
  }
  await page.goto(url, { waitUntil: 'commit', timeout: MOST_MS });
  await page.waitForFunction(() => 'drawn_ms' in globalThis, undefined, { timeout: MOST_MS });
  v.drawn_ms = await page.evaluate(() => (globalThis as unknown as { drawn_ms: number }).drawn_ms);
  while (open.size > 0 || performance.now() - last < QUIET_MS)
    await new Promise((done) => setTimeout(done, 50));
  return v;
}
