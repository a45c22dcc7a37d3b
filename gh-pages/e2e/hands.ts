// A reader without a pointer and without eyes. It moves by Tab and sees where the focus is. It
// hears names and live regions as the browser gives them to a screen reader.
import type { CDPSession } from 'playwright-core';
import { expect } from 'vitest';
import { open, type Watched } from './page.ts';

const MOST_TABS = 150;

export class Hands {
  private constructor(
    readonly w: Watched,
    private readonly session: CDPSession,
  ) {}

  static async at(url: string, ready: string): Promise<Hands> {
    const w = await open(url);
    const hands = new Hands(w, await w.context.newCDPSession(w.page));
    await hands.ready(ready);
    return hands;
  }

  async ready(selector: string): Promise<void> {
    await this.w.page.waitForSelector(selector);
    await this.w.page.waitForFunction(() => !document.querySelector('.loading'));
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.w.page.keyboard.press(key);
  }

  /** Tabs to an element; at each step the focus is seen. What is heard there. */
  async to(selector: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string> {
    for (let i = 0; i < MOST_TABS; i++) {
      const { there, hidden } = await this.w.page.locator(selector).evaluateAll(focusAt);
      expect(hidden, `the focus on the way to ${selector}`).toBe('');
      if (there) return this.heard();
      await this.press(key);
    }
    throw new Error(
      `${selector} was not reached by ${MOST_TABS} times ${key}; the focus is on ${await this.heard()}`,
    );
  }

  /** Tabs to an element and presses Enter; then waits for what is there. */
  async enter(selector: string, ready: string): Promise<string> {
    const heard = await this.to(selector);
    await this.press('Enter');
    await this.ready(ready);
    return heard;
  }

  /**
   * Role, name, value and state of the element with the focus: "button Next 25", "link Its run".
   */
  async heard(): Promise<string> {
    const { result } = await this.session.send('Runtime.evaluate', {
      expression: 'document.activeElement',
    });
    const { nodes } = await this.session.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId!,
      fetchRelatives: false,
    });
    const node = nodes[0]!;
    const state = (node.properties ?? [])
      .filter((p) => ['checked', 'pressed', 'expanded', 'disabled'].includes(p.name))
      .map((p) => `${p.name}=${String(p.value.value)}`);
    return [node.role?.value, node.name?.value, node.value?.value, ...state]
      .filter((x) => x !== undefined && x !== '')
      .join(' ')
      .replace(/\s+/g, ' ');
  }

  /** Waits until the focus is there, as heard. */
  hears(words: string): Promise<unknown> {
    return expect.poll(() => this.heard(), { timeout: 60_000 }).toBe(words);
  }

  /** Waits until a live region says so. */
  async says(words: RegExp): Promise<void> {
    await this.w.page
      .waitForFunction(
        ([source, flags]) =>
          [...document.querySelectorAll('[role=status], [role=alert], [aria-live]')].some((e) =>
            new RegExp(source!, flags).test(e.textContent ?? ''),
          ),
        [words.source, words.flags],
      )
      .catch(async () => {
        throw new Error(
          `nothing said ${String(words)}, but: ${(await this.w.page.$$eval('[role=status], [role=alert], [aria-live]', (all) => all.map((e) => e.textContent))).join(' | ')}`,
        );
      });
  }

  address(query: string): Promise<unknown> {
    return this.w.page.waitForFunction((q) => location.search === q, query);
  }

  text = async (selector: string): Promise<string> =>
    (await this.w.page.textContent(selector)) ?? '';

  async done(): Promise<void> {
    await this.w.clean();
    await this.w.close();
  }
}

/** Whether one of these has the focus, and what keeps a reader from seeing it. Runs in the page. */
function focusAt(wanted: Element[]): { there: boolean; hidden: string } {
  const e = document.activeElement;
  // a page's begin has no mark
  if (!e || e === document.body || e.id === 'page') return { there: false, hidden: '' };
  const name = `${e.tagName} ${e.className} "${(e.textContent ?? '').slice(0, 40)}"`;
  const style = getComputedStyle(e),
    box = e.getBoundingClientRect();
  const at = {
    left: Math.max(0, box.left),
    right: Math.min(innerWidth, box.right),
    top: Math.max(0, box.top),
    bottom: Math.min(innerHeight, box.bottom),
  };
  const top = document.elementFromPoint((at.left + at.right) / 2, (at.top + at.bottom) / 2);
  const hidden =
    style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2
      ? `${name}: no outline`
      : at.right <= at.left || at.bottom <= at.top
        ? `${name}: out of view`
        : !top || !(e.contains(top) || top.contains(e))
          ? `${name}: covered by ${top?.outerHTML.slice(0, 80)}`
          : '';
  return { there: wanted.includes(e), hidden };
}
