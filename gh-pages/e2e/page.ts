// A page of the built site in Chromium, watched. A request to another origin, a policy report or
// an uncaught error fails the test that calls `clean`.
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import axe from 'axe-core';
import { desktop } from './sizes.ts';
import { expect, inject } from 'vitest';

let browser: Promise<Browser> | undefined;

export interface Watched {
  page: Page;
  context: BrowserContext;
  clean: () => Promise<void>;
  close: () => Promise<void>;
}

/** blank: the test goes to its page itself, which is a file. */
export async function open(
  url: string,
  options: {
    dark?: boolean;
    size?: { width: number; height: number };
    noScript?: boolean;
    forced?: boolean;
    blank?: boolean;
  } = {},
): Promise<Watched> {
  browser ??= chromium.connect(inject('browser'));
  const context = await (
    await browser
  ).newContext({
    viewport: options.size ?? desktop,
    colorScheme: options.dark ? 'dark' : 'light',
    javaScriptEnabled: !options.noScript,
    reducedMotion: 'reduce',
    forcedColors: options.forced ? 'active' : 'none',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const wrong: string[] = [];
  const origin = options.blank || url.startsWith('file:') ? 'file://' : new URL(url).origin;
  page.on('request', (r) => {
    if (!r.url().startsWith(origin) && !r.url().startsWith('data:') && !r.url().startsWith('blob:'))
      wrong.push(`asked ${r.url()}`);
  });
  page.on('pageerror', (e) => wrong.push(`uncaught: ${e.stack ?? e.message}`));
  page.on('console', (m) => {
    if (/Content Security Policy/i.test(m.text())) wrong.push(m.text());
  });
  await page.goto(url);
  return {
    page,
    context,
    clean: async () => {
      expect(wrong).toEqual([]);
      if (!options.noScript) expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
    },
    close: () => context.close(),
  };
}

/** Rules of axe whose answer a theme may change. */
export const ofColours = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds, as a list that can be read; rules: else all. Its script is injected past the
 * policy.
 */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(
    (only) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(
        document,
        only ? { runOnly: { type: 'rule', values: only } } : {},
      ),
    rules,
  );
  return found.violations.flatMap((v) =>
    v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary}`),
  );
}
