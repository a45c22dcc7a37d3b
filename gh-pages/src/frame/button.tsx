// A button that never drops the focus. A browser takes it from what is disabled or
// removed and gives it to the page: a reader without a pointer is then nowhere.
import type { ButtonHTMLAttributes } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type' | 'disabled' | 'onClick'> {
  onPress: () => void;
}

export function Button({ onPress, ...rest }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  // Where its own work takes it away, as Retry does, the focus goes to what it stood in.
  useLayoutEffect(
    () => () => {
      // layout effect: other effects run after the button is gone
      if (!button.current || document.activeElement !== button.current) return;
      const around = parents(button.current);
      queueMicrotask(() => {
        const kept = around.find((e) => e.isConnected);
        if (!kept || (document.activeElement && document.activeElement !== document.body)) return;
        if (!kept.hasAttribute('tabindex')) kept.tabIndex = -1;
        kept.focus({ preventScroll: true });
      });
    },
    [],
  );
  return <button type="button" ref={button} {...rest} onClick={onPress} />;
}

function parents(of: Element): HTMLElement[] {
  const out: HTMLElement[] = [];
  for (let e = of.parentElement; e && e !== document.body; e = e.parentElement) out.push(e);
  return out;
}
