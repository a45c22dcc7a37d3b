// Auto, light or dark. src/early.js sets what was chosen before the page is drawn.
import { useEffect, useState } from 'preact/hooks';

export type Choice = 'auto' | 'light' | 'dark';
export const choices: Choice[] = ['auto', 'light', 'dark'];

const system = () => matchMedia('(prefers-color-scheme: dark)');
const printing = () => matchMedia('print');
const forced = () => matchMedia('(forced-colors: active)');

function chosen(): Choice {
  const theme = document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}

function choose(choice: Choice): void {
  if (choice === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  try {
    if (choice === 'auto') localStorage.removeItem('theme');
    else localStorage.setItem('theme', choice);
  } catch {
    // A browser that keeps nothing keeps it for this page.
  }
  dispatchEvent(new Event('theme'));
}

/** Lets a reader choose. */
export function themed(select: HTMLSelectElement): void {
  select.value = chosen();
  select.addEventListener('change', () => choose(select.value as Choice));
}

/** Paper is light; where colours are forced, what was chosen here counts for nothing. */
function isDark(): boolean {
  if (printing().matches) return false;
  return chosen() === 'auto' || forced().matches ? system().matches : chosen() === 'dark';
}

/** For canvases: follows the choice, the system and the printer. */
export function useDark(): boolean {
  const [dark, set] = useState(isDark);
  useEffect(() => {
    const look = () => set(isDark());
    const all = [system(), printing(), forced()];
    addEventListener('theme', look);
    for (const m of all) m.addEventListener('change', look);
    return () => {
      removeEventListener('theme', look);
      for (const m of all) m.removeEventListener('change', look);
    };
  }, []);
  return dark;
}
